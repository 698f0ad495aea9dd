// Compares the terms of the matrix and chain families' models with numbers counted by hand (sm_90).
#include "codegen/kernel/build/build_chain.h"
#include "codegen/kernel/build/build_matrix.h"
#include "codegen/kernel/cost/chain_cost.h"
#include "codegen/kernel/cost/cost_matrix.h"
#include "codegen/kernel/form/build_digit_form.h"
#include "codegen/kernel/plan/chain_shape.h"
#include "codegen/kernel/plan/matrix_shape.h"
#include "tests/unit/codegen/kernel/bucket_builder.h"
#include "tests/unit/codegen/kernel/random_chain.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace mpf {
namespace {

const Target kSm90 = targetNamed("sm_90");
constexpr double kAllClocksPerUs = 1.98e3 * 132; ///< of all multiprocessors

double costTerm(const KernelHeader &plan, const std::string &name) {
  for (const CostTerm &term : plan.costTerms)
    if (term.name == name)
      return term.timeUs;
  ADD_FAILURE() << name;
  return 0;
}

/// Returns a plan of result(x, y) = sum over 64 k of f(x, k) g(y, k), 256 x 256. It has tiles of 64
/// x 64 and pages of 16 terms, whose rows are a line of 128 bytes each.
MatrixPlan squareProduct(ValueForm values = ValueForm::Linear) {
  KernelOptions options;
  options.target = kSm90;
  options.family = "mma";
  options.valueForm = values;
  const DigitForm form = buildDigitForm(bucket("xyk", {256, 256, 64}, {"xk", "yk"}, "xy"), OpId(0));
  for (MatrixPlan &plan : matrixPlans(form, options))
    if (!plan.persistent && !plan.doubleBufferedFragments && plan.rows.tile == 64 &&
        plan.columns.tile == 64 && plan.chunk == 16 && plan.rows.alongTerms &&
        plan.columns.alongTerms && plan.rows.fetchVector == 2 && plan.columns.fetchVector == 2)
      return std::move(plan);
  ADD_FAILURE() << "no such plan";
  return {};
}

TEST(MatrixCostTerms, BytesOverTheirRates) {
  const MatrixPlan plan = squareProduct();
  const double operand = 8.0 * 256 * 64, result = 8.0 * 256 * 256;
  EXPECT_DOUBLE_EQ(costTerm(plan, "dram"), (2 * operand + result) / 4250e3);
  // Either table is read once for each of the four tiles across it.
  EXPECT_DOUBLE_EQ(costTerm(plan, "l2"), (2 * 4 * operand + result) / (1.05 * 5500e3));
}

TEST(MatrixCostTerms, ArithmeticIsThatOfTheInstructions) {
  const MatrixPlan plan = squareProduct();
  const double multiplyAdds = 256.0 * 256 * 64;
  EXPECT_DOUBLE_EQ(costTerm(plan, "arithmetic"), multiplyAdds / (0.87 * 128) / kAllClocksPerUs);
  EXPECT_EQ(costTerm(plan, "exp2"), 0);
  const MatrixPlan logs = squareProduct(ValueForm::Log); // conversions take the f64 units
  EXPECT_GT(costTerm(logs, "arithmetic"), 1.5 * costTerm(plan, "arithmetic"));
  EXPECT_GT(costTerm(logs, "issue"), costTerm(plan, "issue"));
}

/// Fragments of a warp, pages written by copies and the lines that these read, and the tile on its
/// way through shared memory to the result.
TEST(MatrixCostTerms, SharedIsTheWavefrontsOfATileTimesTheTiles) {
  const MatrixPlan plan = squareProduct();
  const double tiles = 16, pages = 4, warps = plan.launch.blockThreads / 32.0;
  const double fragments = pages * 2 * warps *
                           static_cast<double>(warpTile(plan.rows) + warpTile(plan.columns)) / 16 *
                           8;
  const double copies = pages * 2 * (64 + 64); // a line written, a line read
  const double stores = 64.0 * 64 * 8 / 128 * 3;
  EXPECT_DOUBLE_EQ(costTerm(plan, "shared"),
                   tiles * (fragments + copies + stores) / kAllClocksPerUs);
}

TEST(MatrixCostTerms, WavesAreSharesOfTheUnitsOfTheBusiestMultiprocessor) {
  const MatrixPlan plan = squareProduct();
  const double sum = 0.52 * costTerm(plan, "shared") + 0.73 * costTerm(plan, "issue") +
                     0.64 * costTerm(plan, "arithmetic");
  const double warps = plan.launch.blockThreads / 32.0 * plan.launch.minBlocksPerSm;
  EXPECT_DOUBLE_EQ(costTerm(plan, "waves"),
                   sum * std::pow(std::max(1.0, 16 / warps), 0.08) * 132 / 16.0);
}

TEST(MatrixCostTerms, AddUpToThePrediction) {
  const MatrixPlan plan = squareProduct();
  const double power = 2 + 1.4 * std::min(1.0, (plan.launch.minBlocksPerSm - 1) / 4.0);
  const double memory = std::max(costTerm(plan, "dram") / 1.035, costTerm(plan, "l2"));
  const double sum = std::pow(memory, power) + std::pow(costTerm(plan, "waves"), power) +
                     std::pow(costTerm(plan, "latency"), power);
  EXPECT_DOUBLE_EQ(costTerm(plan, "launch"), 1.5 + 0.5 + 0.2);
  EXPECT_NEAR(plan.predictedUs, std::pow(sum, 1 / power) + costTerm(plan, "launch"),
              1e-12 * plan.predictedUs);
  EXPECT_GT(plan.predictedUs, plan.floorUs);
}

/// Blocks that do not fit the device together run in rounds.
TEST(MatrixCostTerms, LatencyGrowsWithTheRounds) {
  MatrixPlan plan = squareProduct();
  const double one = costTerm(plan, "latency");
  EXPECT_GT(one, 0.56 * (0.6 + 0.9)); // a block's start and its first page
  plan.launch.minBlocksPerSm = 1;
  Target few = kSm90;
  few.smCount = 8; // two rounds of the 16 tiles
  modelCost(plan, few);
  EXPECT_GT(costTerm(plan, "latency"), 1.5 * one); // a store gets more of the bandwidth
  EXPECT_DOUBLE_EQ(costTerm(plan, "dram"), costTerm(squareProduct(), "dram"));
}

/// Eight binary digits of a message of 2^24 entries replaced by eight others.
ChainPlan binaryPlan(ElementType type) {
  ChainOptions options;
  options.target = kSm90;
  options.type = type;
  const auto plan = buildChain(test::binaryChain(24, 8, true), options);
  EXPECT_TRUE(plan);
  return plan ? *plan : ChainPlan();
}

TEST(ChainCostTerms, MessageAndResultMoveOnce) {
  for (const ElementType type : {ElementType::F32, ElementType::F64}) {
    const ChainPlan plan = binaryPlan(type);
    // Pages are runs of more than a line: nothing is lost.
    EXPECT_DOUBLE_EQ(costTerm(plan, "dram"), 2.0 * (1 << 24) * elementBytes(type) / 4250e3);
  }
}

/// Two multiply-adds for every entry that a step makes; f64 has half of the lanes.
TEST(ChainCostTerms, ArithmeticIsThatOfTheSteps) {
  for (const ElementType type : {ElementType::F32, ElementType::F64}) {
    const ChainPlan plan = binaryPlan(type);
    for (size_t p = 0; p < plan.phases.size(); ++p)
      ASSERT_EQ(busyThreads(plan, p), plan.launch.blockThreads);
    const double lanes = type == ElementType::F32 ? 128 : 64;
    EXPECT_DOUBLE_EQ(costTerm(plan, "arithmetic"), 8 * 2.0 * (1 << 24) / lanes / kAllClocksPerUs);
    EXPECT_GT(costTerm(plan, "issue"), 8 * 2.0 * (1 << 24) / 128 / kAllClocksPerUs);
  }
}

TEST(ChainCostTerms, LogarithmsTakeAnExponentialPerTerm) {
  ChainPlan plan = binaryPlan(ElementType::F32);
  EXPECT_EQ(costTerm(plan, "exp2"), 0);
  plan.valueForm = ValueForm::Log;
  modelCost(plan, kSm90, true);
  EXPECT_DOUBLE_EQ(costTerm(plan, "exp2"), 8 * 2.0 * (1 << 24) / (16 * kAllClocksPerUs));
}

/// A line takes 3.5 clocks of its multiprocessor: at least the lines that the result has.
TEST(ChainCostTerms, StoresAreLines) {
  const ChainPlan plan = binaryPlan(ElementType::F32);
  const double least = 3.5 * 4.0 * (1 << 24) / 128 / kAllClocksPerUs;
  EXPECT_GE(costTerm(plan, "stores"), least * (1 - 1e-12));
  EXPECT_LE(costTerm(plan, "stores"), 2 * least);
}

/// A page waits for its fetch and for each phase; blocks go through theirs one after another.
TEST(ChainCostTerms, LatencyIsTheRoundsOfPages) {
  ChainPlan plan = binaryPlan(ElementType::F32);
  const double rounds =
      std::ceil(static_cast<double>(plan.launch.gridBlocks) / (132.0 * plan.launch.minBlocksPerSm));
  const double perPage =
      costTerm(plan, "latency") / (rounds * static_cast<double>(plan.pagesPerBlock));
  EXPECT_GT(perPage, 1.0 + 0.15 * static_cast<double>(plan.phases.size()));
  EXPECT_LT(perPage, 10);
  plan.pagesPerBlock *= 2; // the same grid: twice the pages, one after another
  modelCost(plan, kSm90, true);
  EXPECT_NEAR(costTerm(plan, "latency"),
              2 * perPage * rounds * static_cast<double>(plan.pagesPerBlock) / 2,
              0.1 * costTerm(plan, "latency"));
}

TEST(ChainCostTerms, AddUpToThePrediction) {
  const ChainPlan plan = binaryPlan(ElementType::F32);
  double longest = 0, sum = 0;
  for (const CostTerm &term : plan.costTerms)
    if (term.name != "launch") {
      longest = std::max(longest, term.timeUs);
      sum += term.timeUs;
    }
  EXPECT_DOUBLE_EQ(costTerm(plan, "launch"), 1.5);
  EXPECT_DOUBLE_EQ(plan.predictedUs, longest + 0.1 * (sum - longest) + 1.5);
}

/// Conflicts can only add wavefronts, and this plan promises that it has none.
TEST(ChainCostTerms, SharedCountsTheImages) {
  ChainPlan plan = binaryPlan(ElementType::F32);
  ASSERT_TRUE(plan.conflictFree);
  const double exact = costTerm(plan, "shared");
  EXPECT_GE(exact, 2 * 4.0 * (1 << 24) / 128 / kAllClocksPerUs); // into an image and out of it
  modelCost(plan, kSm90, false);
  EXPECT_NEAR(costTerm(plan, "shared"), exact, 0.25 * exact);
}

} // namespace
} // namespace mpf
