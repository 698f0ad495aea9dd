// C++ text of kernel plans, compiled by the host compiler, against the operation's definition.
#include "codegen/emit/emit_cpp.h"
#include "dsl/support/check.h"
#include "tests/simt/form_reference.h"
#include "tests/simt/host_library.h"
#include "tests/unit/emit/hand_plans.h"
#include "tests/unit/emit/random_plan.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace mpf::simt {
namespace {

/// Calls a kernel whose arguments are all pointers: operands, then the result.
void call(const HostLibrary &library, const std::string &name, std::vector<void *> a) {
  using P = void *;
  switch (a.size()) {
  case 2:
    return library.function<void(P, P)>(name)(a[0], a[1]);
  case 3:
    return library.function<void(P, P, P)>(name)(a[0], a[1], a[2]);
  case 4:
    return library.function<void(P, P, P, P)>(name)(a[0], a[1], a[2], a[3]);
  case 5:
    return library.function<void(P, P, P, P, P)>(name)(a[0], a[1], a[2], a[3], a[4]);
  default:
    MPF_UNREACHABLE("{} tables in a test plan", a.size());
  }
}

/// Positive values, so that they have logarithms, and floats, so that both types hold the same.
std::vector<double> randomValues(size_t size, std::mt19937_64 &random) {
  std::vector<double> values(size);
  for (double &value : values)
    value = static_cast<float>(std::exp2(static_cast<double>(random() >> 11) * 0x1p-52 - 1));
  return values;
}

template <class T> void checkPlan(const HostLibrary &library, const KernelPlan &plan) {
  const bool log = plan.valueForm == ValueForm::Log;
  std::mt19937_64 random(1);
  std::vector<std::vector<double>> values;
  std::vector<std::vector<T>> tables;
  for (const DigitAccess &operand : plan.form.operands) {
    values.push_back(randomValues(operand.sizeElems, random));
    tables.emplace_back();
    for (double value : values.back())
      tables.back().push_back(static_cast<T>(log ? std::log2(value) : value));
  }
  tables.emplace_back(plan.form.result.sizeElems, std::numeric_limits<T>::quiet_NaN());
  std::vector<void *> arguments;
  for (auto &table : tables)
    arguments.push_back(table.data());
  call(library, plan.name, arguments);

  DigitForm form = plan.form;
  if (form.semiring.reduce == Reduce::LogSum)
    form.semiring = {Reduce::Sum, Combine::Times};
  const std::vector<long double> expected = evaluateForm(form, values);
  for (size_t i = 0; i < expected.size(); ++i) {
    const long double entry = tables.back()[i];
    const long double value = log ? std::exp2(entry) : entry;
    const double tolerance = sizeof(T) == 4 ? 3e-5 : 1e-13;
    ASSERT_LE(std::abs(value - expected[i]), tolerance * std::max(1.0L, std::abs(expected[i])))
        << plan.name << " entry " << i << "\n"
        << emitCpp(plan);
  }
}

void checkPlans(const std::vector<KernelPlan> &plans) {
  std::string source(kCppPreamble);
  for (const KernelPlan &plan : plans)
    source += emitCpp(plan);
  const HostLibrary library(source, "");
  for (const KernelPlan &plan : plans) {
    if (plan.type == ElementType::F32)
      checkPlan<float>(library, plan);
    else
      checkPlan<double>(library, plan);
    if (testing::Test::HasFatalFailure())
      return;
  }
}

TEST(CppText, RandomPlansAreRight) {
  std::vector<KernelPlan> plans;
  for (uint64_t seed = 50000; seed < 50080; ++seed)
    plans.push_back(test::randomPlan(seed));
  checkPlans(plans);
}

TEST(CppText, HandPlansAreRight) {
  std::vector<KernelPlan> plans = {test::pairTile(256, 128, 32),
                                   test::pairTile(128, 128, 16, ValueForm::Log),
                                   test::oneStepStream(1000, 3, ElementType::F64)};
  for (size_t i = 0; i < plans.size(); ++i)
    plans[i].name += std::to_string(i);
  checkPlans(plans);
}

} // namespace
} // namespace mpf::simt
