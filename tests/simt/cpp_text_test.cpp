// C++ text of kernel plans, compiled by the host compiler, against the operation's definition.
#include "codegen/emit/emit_cpp.h"
#include "dsl/support/check.h"
#include "dsl/support/integer_value.h"
#include "runtime/simt/form_reference.h"
#include "runtime/simt/host_library.h"
#include "tests/unit/codegen/kernel/hand_plans.h"
#include "tests/unit/codegen/kernel/random_plan.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
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

/// Positive values, so that they have logarithms, and floats, so that both types hold the same; for
/// whole types 0 to 7.
std::vector<double> randomValues(size_t size, ElementType type, std::mt19937_64 &random) {
  std::vector<double> values(size);
  for (double &value : values)
    value = isIntegerType(type)
                ? static_cast<double>(random() % 8)
                : static_cast<float>(std::exp2(static_cast<double>(random() >> 11) * 0x1p-52 - 1));
  return values;
}

/// What no entry may keep.
template <class T> T unwritten() {
  if constexpr (std::is_floating_point_v<T>)
    return std::numeric_limits<T>::quiet_NaN();
  else
    return ~T{0};
}

/// Makes every other value the semiring's zero, the others its one; their words.
template <class T> std::vector<T> packedTable(Semiring semiring, std::vector<double> &values) {
  const bool times = semiring.combine == Combine::Times || semiring.reduce == Reduce::LogSum;
  std::vector<uint32_t> words((values.size() + 31) / 32, 0);
  for (size_t i = 0; i < values.size(); ++i) {
    const bool one = i % 2 == 0;
    words[i / 32] |= uint32_t{one} << i % 32;
    values[i] = times ? one : one ? 0 : -std::numeric_limits<double>::infinity();
  }
  std::vector<T> table((words.size() * sizeof(uint32_t) + sizeof(T) - 1) / sizeof(T));
  std::memcpy(table.data(), words.data(), words.size() * sizeof(uint32_t));
  return table;
}

template <class T> void checkText(const HostLibrary &library, const KernelPlan &any) {
  const KernelHeader &plan = any.header();
  DigitForm form = any.operation();
  const bool log = plan.valueForm == ValueForm::Log;
  std::mt19937_64 random(1);
  std::vector<std::vector<double>> values;
  std::vector<std::vector<T>> tables;
  for (const DigitAccess &operand : form.operands) {
    values.push_back(randomValues(operand.sizeElems, plan.type, random));
    tables.emplace_back();
    if (operand.packed) {
      tables.back() = packedTable<T>(form.semiring, values.back());
      continue;
    }
    for (double value : values.back())
      tables.back().push_back(static_cast<T>(log ? std::log2(value) : value));
  }
  tables.emplace_back(form.result.sizeElems, unwritten<T>());
  std::vector<void *> arguments;
  for (auto &table : tables)
    arguments.push_back(table.data());
  call(library, plan.name, arguments);

  if (form.semiring.reduce == Reduce::LogSum)
    form.semiring = {Reduce::Sum, Combine::Times};
  const std::vector<long double> expected = evaluateForm(form, values);
  for (size_t i = 0; i < expected.size(); ++i) {
    const auto entry = static_cast<long double>(tables.back()[i]);
    const long double value = log ? std::exp2(entry) : entry;
    const double tolerance = isIntegerType(plan.type) ? 0 : sizeof(T) == 4 ? 3e-5 : 1e-13;
    if (value == expected[i])
      continue; // maybe both infinite
    ASSERT_LE(std::abs(value - expected[i]), tolerance * std::max(1.0L, std::abs(expected[i])))
        << plan.name << " entry " << i << "\n"
        << emitCpp(any);
  }
}

void checkTexts(const std::vector<KernelPlan> &plans) {
  std::string source = cppPreamble(plans);
  for (const KernelPlan &plan : plans)
    source += emitCpp(plan);
  const HostLibrary library(source);
  for (const KernelPlan &plan : plans) {
    switch (plan.header().type) {
    case ElementType::F32:
      checkText<float>(library, plan);
      break;
    case ElementType::F64:
      checkText<double>(library, plan);
      break;
    case ElementType::U64:
      checkText<uint64_t>(library, plan);
      break;
    case ElementType::U128:
      checkText<Uint128>(library, plan);
      break;
    }
    if (testing::Test::HasFatalFailure())
      return;
  }
}

TEST(CppText, RandomPlansAreRight) {
  std::vector<KernelPlan> plans;
  for (uint64_t seed = 50000; seed < 50080; ++seed)
    plans.push_back(test::randomPlan(seed));
  checkTexts(plans);
}

TEST(CppText, HandPlansAreRight) {
  std::vector<KernelPlan> plans = {test::pairTile(256, 128, 32),
                                   test::pairTile(128, 128, 16, ValueForm::Log),
                                   test::oneStepStream(1000, 3, ElementType::F64)};
  for (size_t i = 0; i < plans.size(); ++i)
    plans[i].header().name += std::to_string(i);
  checkTexts(plans);
}

} // namespace
} // namespace mpf::simt
