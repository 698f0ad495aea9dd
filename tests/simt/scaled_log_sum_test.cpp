// Sums of logarithms with split exponents, on difficult tables: entries thousands of binary orders
// apart, zeros, a dominant term that another factor cancels, rows far apart. Every entry must be
// right relative to itself, whether it came from the mantissas or was computed again.
#include "codegen/kernel/build/build_matrix.h"
#include "codegen/kernel/form/build_digit_form.h"
#include "codegen/kernel/verify_kernel.h"
#include "dsl/support/scaled_mantissa.h"
#include "runtime/simt/form_reference.h"
#include "runtime/simt/kernel_run.h"
#include "tests/simt/persistent_plan.h"
#include "tests/unit/codegen/kernel/bucket_builder.h"
#include "tests/unit/codegen/kernel/hand_plans.h"
#include "tests/unit/codegen/kernel/planned_suite.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace mpf::simt {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Returns the base-2 logarithm of entry `place` of operand `operand`.
using Values = std::function<double(size_t operand, uint64_t place, uint64_t size)>;

/// Returns a number that is uniform in [0, 1) and equal for equal arguments.
double unit(uint64_t seed, uint64_t place) {
  std::mt19937_64 random(seed * 1000003 + place);
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

struct Kind {
  const char *name;
  double spread; ///< binary orders
  Values values(uint64_t seed) const {
    const std::string kind = name;
    const double wide = spread;
    return [=](size_t operand, uint64_t place, uint64_t size) {
      const double dice = unit(seed + operand, place);
      if (kind == "uniform")
        return wide * (dice - 0.5);
      if (kind == "zeros")
        return dice < 0.5 ? -kInfinity : wide * (dice - 0.75);
      if (kind == "rows") // rows far apart
        return wide * (unit(seed + 77 + operand, place * 16 / size) - 0.5) + 4 * dice;
      if (kind == "peak") // the first operand's one greatest entry meets the others' least ones
        return operand == 0 ? (place % 5 == 2 ? wide : dice) : (place % 5 == 2 ? -2 * wide : dice);
      return place == size / 2 ? dice : -kInfinity; // "single"
    };
  }
};

/// Returns a table in log or linear form, rounded to the type.
KernelTable tableOf(const std::vector<double> &logs, ElementType type, bool linear) {
  const auto rounded = [&](double x) {
    return type == ElementType::F32 ? static_cast<double>(static_cast<float>(x)) : x;
  };
  KernelTable table;
  table.state.form = linear ? 0 : 1;
  for (double log : logs) {
    const double entry = rounded(linear ? std::exp2(log) : log);
    table.entries.push_back(entry);
    if (linear ? entry == 0 : std::isinf(entry))
      continue;
    const auto exponent = linear ? std::ilogb(entry) : static_cast<int32_t>(std::floor(entry));
    table.state.minExponent = std::min(table.state.minExponent, exponent);
    table.state.maxExponent = std::max(table.state.maxExponent, exponent);
  }
  return table;
}

class Checked {
public:
  Checked(KernelSuite &suite, size_t number)
      : suite_(suite), number_(number), plan_(suite.kernel(number).header()),
        form_(suite.kernel(number).operation) {}

  void run(const Values &values, bool linear, const std::string &what) {
    std::vector<KernelTable> tables;
    std::vector<std::vector<long double>> plain;
    double greatest = 0;
    for (size_t i = 0; i < form_.operands.size(); ++i) {
      std::vector<double> logs(form_.operands[i].sizeElems);
      for (uint64_t place = 0; place < logs.size(); ++place)
        logs[place] = values(i, place, logs.size());
      tables.push_back(tableOf(logs, plan_.type, linear));
      plain.push_back(tables.back().values());
      for (double entry : logs)
        greatest = std::max(greatest, std::isinf(entry) ? 0 : std::abs(entry));
    }
    const KernelRun run = suite_.run(number_, tables);
    ASSERT_EQ(run.report.faultText(), "") << what << suite_.kernel(number_).kernel.text;
    const std::vector<long double> expected = evaluateForm(form_, plain);
    for (size_t i = 0; i < expected.size(); ++i)
      compare(run.result.entries[i] + run.result.state.scale, std::log2(expected[i]), greatest,
              fmt::format("{}, {} entry {}", plan_.name, what, i));
  }

private:
  /// Compares logarithms. Those of magnitude g are themselves rounded to g * 2^-24 (2^-53).
  void compare(double found, long double expected, double greatest, const std::string &what) {
    if (std::isinf(expected)) {
      ASSERT_EQ(found, -kInfinity) << what;
      return;
    }
    const bool single = plan_.type == ElementType::F32;
    const double stored = (greatest + std::abs(static_cast<double>(expected))) *
                          static_cast<double>(form_.operands.size()) * (single ? 0x1p-23 : 0x1p-52);
    const double relative = (single ? 1e-5 : 1e-12) / std::log(2.0);
    ASSERT_NEAR(found, static_cast<double>(expected), relative + stored) << what;
  }

  KernelSuite &suite_;
  size_t number_;
  const KernelHeader &plan_;
  const DigitForm &form_;
};

std::vector<Kind> kindsFor(ElementType type) {
  const double far = type == ElementType::F32 ? 1 : 8;
  return {{"uniform", 20},      {"uniform", 150 * far}, {"uniform", 600 * far}, {"zeros", 20},
          {"zeros", 400 * far}, {"rows", 900 * far},    {"peak", 300 * far},    {"single", 0}};
}

void checkAll(std::vector<KernelPlan> plans) {
  for (size_t i = 0; i < plans.size(); ++i)
    plans[i].header().name += fmt::format("_{}", i);
  KernelSuite suite(testKernels(plans));
  for (size_t i = 0; i < plans.size(); ++i) {
    Checked checked(suite, i);
    for (const Kind &kind : kindsFor(plans[i].header().type)) {
      checked.run(kind.values(i), false, fmt::format("{} {}", kind.name, kind.spread));
      if (testing::Test::HasFatalFailure())
        return;
    }
    const double most = plans[i].header().type == ElementType::F32 ? 250 : 2040;
    checked.run(Kind{"uniform", most}.values(i), true, "plain values");
  }
}

/// Returns the plan with every way of summing logarithms.
std::vector<KernelPlan> everyLogSum(NestPlan plan) {
  std::vector<KernelPlan> plans;
  for (LogSum logSum : {LogSum::Running, LogSum::MantissaLoads, LogSum::MantissaTerms}) {
    plan.logSum = logSum;
    plans.emplace_back(plan);
  }
  return plans;
}

TEST(MantissaLogs, HandPlansAreRightEntryByEntry) {
  std::vector<KernelPlan> plans = everyLogSum(test::pairTile(128, 128, 16, ValueForm::Log));
  for (ElementType type : {ElementType::F32, ElementType::F64}) {
    NestPlan stream = test::oneStepStream(300, 5, type);
    stream.valueForm = ValueForm::Log;
    for (KernelPlan &plan : everyLogSum(stream))
      plans.push_back(std::move(plan));
  }
  checkAll(std::move(plans));
}

TEST(MantissaLogs, PlannedKernelsAreRightEntryByEntry) {
  std::vector<KernelPlan> plans;
  size_t split = 0;
  for (const test::SuiteShape &shape : test::smallShapes())
    if (shape.name == "pair_odd" || shape.name == "triangle_odd" || shape.name == "small_factor" ||
        shape.name == "to_scalar" || shape.name == "stream_middle")
      for (const test::SuiteKernel &kernel :
           test::kernelsOf(shape, {targetNamed("sm_90"), true, false, false}))
        if (kernel.plan.header().valueForm == ValueForm::Log) {
          plans.push_back(kernel.plan);
          split += kernel.plan.header().logSum != LogSum::Running;
        }
  EXPECT_EQ(split, plans.size());
  checkAll(std::move(plans));
}

/// Tests ragged tiles, batches, either side stationary, and blocks that are not persistent.
TEST(MantissaLogs, MatrixProductsAreRightEntryByEntry) {
  const std::vector<TableProgram> programs = {
      bucket("xyk", {40, 37, 24}, {"xk", "yk"}, "xy"),
      bucket("xyk", {33, 48, 7}, {"kx", "ky"}, "xy"),
      bucket("bxayk", {2, 20, 2, 18, 20}, {"bxk", "byk", "ak"}, "bxay"),
  };
  std::mt19937 random(12);
  std::vector<KernelPlan> plans;
  for (const TableProgram &program : programs) {
    KernelOptions options;
    options.target = targetNamed("sm_90");
    options.family = "mma";
    options.valueForm = ValueForm::Log;
    const std::vector<MatrixPlan> all = matrixPlans(buildDigitForm(program, OpId(0)), options);
    for (const StationarySide side :
         {StationarySide::None, StationarySide::Rows, StationarySide::Columns}) {
      std::optional<MatrixPlan> plan;
      for (int i = 0; i < 200 && !plan && !all.empty(); ++i) {
        plan = all[random() % all.size()];
        if (side != StationarySide::None)
          plan = persistentPlan(*plan, 2, side);
      }
      ASSERT_TRUE(plan);
      nameKernel(*plan);
      ASSERT_EQ(findFault(*plan, options.target), "");
      plans.emplace_back(std::move(*plan));
    }
  }
  checkAll(std::move(plans));
}

/// Tests the promises in the comments of MantissaRule.
TEST(MantissaLogs, NothingOverflowsAndTheGuardIsReachable) {
  for (ElementType type : {ElementType::F32, ElementType::F64})
    for (size_t operands = 1; operands <= 8; ++operands)
      for (int termsLog2 : {0, 1, 7, 20, 40, 64}) {
        const MantissaRule rule = mantissaRule(type, operands, termsLog2);
        const auto top = static_cast<int>(operands) * rule.lift;
        EXPECT_GE(rule.lift, 0);
        EXPECT_LT(top + termsLog2, type == ElementType::F32 ? 127 : 1023);
        // The greatest sums are never computed again, unless 64 binary digits of terms leave f32 no
        // room.
        if (type == ElementType::F64 || termsLog2 <= 40) {
          EXPECT_LT(rule.guardLog2, top) << operands << " operands, 2^" << termsLog2 << " terms";
        }
      }
}

} // namespace
} // namespace mpf::simt
