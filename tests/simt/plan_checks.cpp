#include "tests/simt/plan_checks.h"

#include "tests/simt/form_reference.h"
#include "tests/simt/kernel_run.h"

#include <cmath>
#include <cstdlib>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <random>

namespace mpf::simt {
namespace {

/// Entries in (0.5, 2), every eighth one zero; Plus semirings: in (-4, 4); whole types: 0 to 7.
std::vector<double> randomValues(size_t size, Semiring semiring, ElementType type,
                                 std::mt19937_64 &random) {
  std::vector<double> values(size);
  for (double &value : values) {
    if (isIntegerType(type)) {
      value = static_cast<double>(random() % 8);
      continue;
    }
    const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
    const bool times = semiring.combine == Combine::Times || semiring.reduce == Reduce::LogSum;
    // Floats, so that both element types are given the same numbers.
    value = static_cast<float>(times ? std::exp2(2 * unit - 1) : 8 * unit - 4);
    if (times && random() % 8 == 0)
      value = 0;
  }
  return values;
}

/// Of a packed table: the zero and the one of the semiring of values.
std::vector<double> randomBits(size_t size, Semiring semiring, std::mt19937_64 &random) {
  if (semiring.reduce == Reduce::LogSum)
    semiring = {Reduce::Sum, Combine::Times};
  std::vector<double> values(size);
  for (double &value : values)
    value = random() % 4 == 0 ? reduceIdentity(semiring) : combineIdentity(semiring.combine);
  return values;
}

void expectEntries(const KernelHeader &plan, Semiring semiring,
                   const std::vector<long double> &expected, const KernelRun &run) {
  const bool single = plan.type == ElementType::F32;
  // 2^x and log2 of doubles are polynomials good to some 1e-13 (preamble/mpf_split.cuh).
  const bool log = plan.valueForm == ValueForm::Log || semiring.reduce == Reduce::LogSum;
  const double tolerance = isIntegerType(plan.type) ? 0 : single ? 3e-5 : log ? 5e-13 : 1e-13;
  const std::vector<long double> values = run.result.values();
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] == expected[i])
      continue;
    ASSERT_LE(std::abs(values[i] - expected[i]), tolerance * std::max(1.0L, std::abs(expected[i])))
        << plan.name << " entry " << i << ": " << static_cast<double>(values[i]) << " instead of "
        << static_cast<double>(expected[i]);
  }
}

/// The exponents recorded on the device are those of what it stored.
void expectState(const KernelHeader &plan, Semiring semiring, const KernelRun &run) {
  if (!isIntegerType(plan.type) && semiring.combine != Combine::Times &&
      semiring.reduce != Reduce::LogSum) {
    EXPECT_EQ(run.result.state.scale, 0);
    return;
  }
  int32_t least = INT32_MAX, greatest = INT32_MIN;
  for (double entry : run.result.entries) {
    if (plan.valueForm == ValueForm::Log ? std::isinf(entry) : entry == 0)
      continue;
    const int32_t exponent = plan.valueForm == ValueForm::Log
                                 ? static_cast<int32_t>(std::floor(entry))
                                 : std::ilogb(entry);
    least = std::min(least, exponent);
    greatest = std::max(greatest, exponent);
  }
  // Sums of mantissas are counted before their logarithm is rounded, and lost ones with the others;
  // logarithms of type f64 by their upper words, below -1 if they are -1.
  const bool words = plan.valueForm == ValueForm::Log && plan.type == ElementType::F64;
  const bool allZero = least > greatest;
  const int32_t slack = !allZero && (plan.logSum != LogSum::Running || words) ? 1 : 0;
  EXPECT_LE(run.result.state.minExponent, least) << plan.name;
  EXPECT_GE(run.result.state.minExponent, least - slack) << plan.name;
  EXPECT_LE(run.result.state.maxExponent, greatest) << plan.name;
  EXPECT_GE(run.result.state.maxExponent, greatest - slack) << plan.name;
  EXPECT_EQ(run.result.state.form, plan.valueForm == ValueForm::Log ? 1 : 0);
}

void expectConflictFree(const EmittedKernel &kernel, const Report &report) {
  for (const Site &site : kernel.sites) {
    const auto found = report.sites.find(site.number);
    if (!site.conflictFree || found == report.sites.end())
      continue;
    EXPECT_DOUBLE_EQ(found->second.conflictRatio(), 1.0)
        << kernel.name << " site " << site.number << " " << site.object << "\n"
        << kernel.text;
  }
}

const char *nameOf(SiteKind kind) {
  switch (kind) {
  case SiteKind::GlobalLoad:
    return "global load";
  case SiteKind::GlobalStore:
    return "global store";
  case SiteKind::SharedLoad:
    return "shared load";
  case SiteKind::SharedStore:
    break;
  }
  return "shared store";
}

/// With MPF_SIMT_WAVES set: every site of the kernel in the checker's model, to be laid beside what
/// a profiler counts on a device.
void printWaves(const KernelHeader &plan, const EmittedKernel &kernel, const Report &report) {
  if (std::getenv("MPF_SIMT_WAVES") == nullptr)
    return;
  fmt::print("{} {} threads\n", kernel.name, plan.launch.blockThreads);
  for (const Site &site : kernel.sites)
    if (const auto found = report.sites.find(site.number); found != report.sites.end())
      fmt::print("  site {:>2} {:<12} {:<10} {}\n", site.number, nameOf(site.kind), site.object,
                 found->second.text());
}

void checkKernel(KernelSuite &suite, size_t number) {
  const KernelHeader &plan = suite.kernel(number).header();
  DigitForm form = suite.kernel(number).operation;
  const EmittedKernel &kernel = suite.kernel(number).kernel;
  std::mt19937_64 random(number);
  const Semiring semiring = form.semiring;
  std::vector<std::vector<double>> values;
  std::vector<KernelTable> tables;
  for (const DigitAccess &operand : form.operands) {
    values.push_back(operand.packed ? randomBits(operand.sizeElems, semiring, random)
                                    : randomValues(operand.sizeElems, semiring, plan.type, random));
    const bool scaled = semiring.combine == Combine::Times || semiring.reduce == Reduce::LogSum;
    const auto scale = scaled && !isIntegerType(plan.type) && !operand.packed
                           ? static_cast<int32_t>(random() % 41) - 20
                           : 0;
    const bool log = plan.valueForm == ValueForm::Log && random() % 2 == 0;
    tables.push_back(log ? KernelTable::log(values.back(), plan.type, scale)
                         : KernelTable::linear(values.back(), plan.type, scale));
  }
  if (semiring.reduce == Reduce::LogSum)
    form.semiring = {Reduce::Sum, Combine::Times}; // of the values whose logs the tables hold
  // Some wait at their end, where threads that leave too early would show.
  const WaitPoint wait = number % 3 == 2 ? WaitPoint::End : WaitPoint::Stores;
  const KernelRun run = suite.run(number, tables, 0, wait);
  ASSERT_EQ(run.report.faultText(), "") << kernel.text;
  EXPECT_TRUE(startsByWaiting(kernel.text)) << kernel.text;
  expectEntries(plan, semiring, evaluateForm(form, values), run);
  expectState(plan, semiring, run);
  expectConflictFree(kernel, run.report);
  printWaves(plan, kernel, run.report);
}

} // namespace

void checkKernels(std::vector<TestKernel> kernels) {
  const size_t count = kernels.size();
  KernelSuite suite(std::move(kernels));
  for (size_t i = 0; i < count && !testing::Test::HasFatalFailure(); ++i)
    checkKernel(suite, i);
}

void checkPlans(const std::vector<KernelPlan> &plans) { checkKernels(testKernels(plans)); }

} // namespace mpf::simt
