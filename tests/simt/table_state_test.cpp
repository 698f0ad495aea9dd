// The device's table-state rules, compared with codegen/bundle/table_state.h, and their effects in
// kernels: the choice of linear or log kernel, scales, exponents of extreme entries.
#include "codegen/bundle/table_state.h"
#include "codegen/emit/nest/preambles.h"
#include "runtime/simt/kernel_run.h"
#include "tests/unit/codegen/kernel/hand_plans.h"

#include <cmath>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <random>

namespace mpf::simt {
namespace {

constexpr int kOperands = 3;

/// Applies the rules to operands 0..2 of `states`: {exact f32, exact f64, shift, scale sum}.
constexpr const char *kRules = R"(
extern "C" __global__ void rules(const MpfTableState *states, int termsLog2, int *answers) {
  const unsigned at = blockIdx.x * 3;
  const MpfTableState operands[3] = {mpfState(states, at), mpfState(states, at + 1),
                                     mpfState(states, at + 2)};
  MPF_ST(3, answers[4 * blockIdx.x], mpfLinearIsExact<float>(operands, termsLog2));
  MPF_ST(3, answers[4 * blockIdx.x + 1], mpfLinearIsExact<double>(operands, termsLog2));
  MPF_ST(3, answers[4 * blockIdx.x + 2], mpfLinearShift(operands));
  MPF_ST(3, answers[4 * blockIdx.x + 3], mpfScaleSum(operands));
}
)";

TEST(TableState, DeviceRulesAreTheHostRules) {
  constexpr size_t kCases = 2000;
  std::mt19937_64 random(7);
  const auto exponent = [&] {
    static constexpr int32_t kSpans[] = {3, 40, 130, 400, 1100, 3000};
    const int32_t span = kSpans[random() % std::size(kSpans)];
    return static_cast<int32_t>(random() % (2 * span + 1)) - span;
  };
  std::vector<TableState> states(kCases * kOperands);
  for (TableState &state : states) {
    state.scale = exponent();
    state.form = random() % 16 == 0;
    if (random() % 10 == 0)
      continue; // all zero
    state.minExponent = exponent();
    state.maxExponent = state.minExponent + std::abs(exponent());
  }
  std::vector<int> answers(4 * kCases);
  Program program(std::string(kCudaPreamble) + kRules,
                  {{"rules", {"const MpfTableState *", "int", "int *"}}});
  for (int termsLog2 : {0, 7, 30}) {
    std::vector<Buffer> buffers = {{"states", std::as_writable_bytes(std::span(states))},
                                   {"answers", std::as_writable_bytes(std::span(answers))}};
    const std::vector<Argument> arguments = {Argument::buffer(0), Argument::number(termsLog2),
                                             Argument::buffer(1)};
    Launch launch;
    launch.gridBlocks = kCases;
    EXPECT_EQ(program.run("rules", launch, buffers, arguments).faultText(), "");
    size_t exact = 0;
    for (size_t i = 0; i < kCases; ++i) {
      const std::span<const TableState> operands(states.data() + i * kOperands, kOperands);
      exact += linearIsExact(operands, termsLog2, ElementType::F64);
      ASSERT_EQ(answers[4 * i] != 0, linearIsExact(operands, termsLog2, ElementType::F32)) << i;
      ASSERT_EQ(answers[4 * i + 1] != 0, linearIsExact(operands, termsLog2, ElementType::F64)) << i;
      ASSERT_EQ(answers[4 * i + 2], linearShift(operands)) << i;
      ASSERT_EQ(answers[4 * i + 3], operands[0].scale + operands[1].scale + operands[2].scale);
    }
    EXPECT_GT(exact, kCases / 20); // both answers occur
    EXPECT_LT(exact, kCases - kCases / 20);
  }
}

/// The runs of a linear and a log kernel of result(x) = sum over k of f(x,k), in mode 1.
struct Twins {
  KernelRun linear, log;
};
Twins runTwins(const std::vector<double> &values, ElementType type, int32_t scale) {
  std::vector<KernelPlan> plans(2, test::oneStepStream(values.size() / 2, 2, type));
  plans[0].header().name = "linear_twin";
  plans[1].header().name = "log_twin";
  plans[1].header().valueForm = ValueForm::Log;
  KernelSuite suite(testKernels(plans));
  const KernelTable table = KernelTable::linear(values, type, scale);
  return {suite.run(0, {table}, 1), suite.run(1, {table}, 1)};
}

bool nothingWritten(const KernelRun &run) {
  for (double entry : run.result.entries)
    if (!std::isnan(entry))
      return false;
  return run.result.state.allZero() && run.result.state.scale == 0 && run.result.state.form == 0;
}

TEST(TableState, ExactlyOneOfTheTwinsRuns) {
  std::vector<double> values(64, 1.0);
  const Twins near = runTwins(values, ElementType::F32, 0);
  EXPECT_TRUE(nothingWritten(near.log));
  EXPECT_EQ(near.linear.result.entries[0], 1.0); // 2 = 1 * 2^1
  EXPECT_EQ(near.linear.result.state.scale, 1);

  values[5] = 0x1p-100; // with values up to 2^60: more than 126 binades apart
  values[6] = 0x1p60;
  const Twins far = runTwins(values, ElementType::F32, 0);
  EXPECT_TRUE(nothingWritten(far.linear));
  EXPECT_EQ(far.log.result.state.form, 1);
  EXPECT_NEAR(static_cast<double>(far.log.result.values()[3]), 0x1p60 + 1, 0x1p60 * 1e-5);
  // The same values fit f64.
  EXPECT_TRUE(nothingWritten(runTwins(values, ElementType::F64, 0).log));
}

TEST(TableState, ScalesAreExactAndKeepEntriesNearOne) {
  // Values around 2^-5000 are far outside of f64; their scale keeps entries near 1.
  std::vector<double> values(64);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = 1.0 + static_cast<double>(i) / 64;
  KernelTable table = KernelTable::linear(values, ElementType::F64);
  table.state.scale = -5000;
  KernelSuite suite(testKernels({test::oneStepStream(32, 2, ElementType::F64)}));
  const KernelRun run = suite.run(0, {table}, 1);
  EXPECT_EQ(run.report.faultText(), "");
  EXPECT_EQ(run.result.state.scale, -5000 + 1); // shift: entries < 2^1
  for (size_t i = 0; i < 32; ++i)
    EXPECT_EQ(run.result.entries[i], (values[2 * i] + values[2 * i + 1]) / 2);
}

TEST(TableState, AllZeroResultsAndSubnormalEntriesAreRecorded) {
  KernelSuite suite(testKernels({test::oneStepStream(32, 2, ElementType::F32)}));
  const KernelRun zero =
      suite.run(0, {KernelTable::linear(std::vector<double>(64, 0.0), ElementType::F32)}, 1);
  EXPECT_TRUE(zero.result.state.allZero());
  EXPECT_EQ(zero.result.entries[7], 0.0);

  // Cancellation leaves a number below the smallest normal one. Mode 0: run whatever the range.
  std::vector<double> values(64, 0.0);
  values[0] = 0x1p-140;
  KernelTable table = KernelTable::linear(values, ElementType::F32);
  table.state.minExponent = table.state.maxExponent = -1; // no rescaling
  const KernelRun tiny = suite.run(0, {table}, 0);
  EXPECT_EQ(tiny.result.entries[0], 0x1p-140);
  EXPECT_EQ(tiny.result.state.minExponent, -140);
  EXPECT_EQ(tiny.result.state.maxExponent, -140);
}

} // namespace
} // namespace mpf::simt
