// The terms of the cost model on plans small enough to count by hand (sm_90).
#include "codegen/kernel/cost/cost_model.h"

#include "codegen/kernel/cost/cost_traffic.h"
#include "codegen/kernel/cost/log_sum_cost.h"
#include "codegen/kernel/form/build_digit_form.h"
#include "tests/unit/codegen/kernel/bucket_builder.h"
#include "tests/unit/codegen/kernel/hand_plans.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace mpf;
using namespace mpf::test;

namespace {

const Target kTarget = targetNamed("sm_90");
constexpr double kClocksPerUs = 1.98e3 * 132; ///< of all multiprocessors

DigitForm formOf(const std::string &order, const std::vector<uint32_t> &extents,
                 const std::vector<std::string> &operands, const std::string &kept,
                 Semiring semiring = {}) {
  return buildDigitForm(bucket(order, extents, operands, kept, semiring), OpId(0));
}

double termOf(const NestPlan &plan, const std::string &name) {
  for (const CostTerm &term : plan.costTerms)
    if (term.name == name)
      return term.timeUs;
  ADD_FAILURE() << name;
  return 0;
}

/// Instructions of the pipe for one term, the last product included.
TEST(TermSlots, ByType) {
  const DigitForm one = formOf("xk", {8, 4}, {"xk"}, "x");
  const DigitForm two = formOf("xk", {8, 4}, {"xk", "k"}, "x");
  const DigitForm largest = formOf("xk", {8, 4}, {"xk", "k"}, "x", {Reduce::Max, Combine::Times});
  const auto slots = [](const DigitForm &form, ElementType type,
                        ValueForm values = ValueForm::Linear, LogSum logSum = LogSum::Running) {
    return termSlots(form, type, values, logSum);
  };
  EXPECT_EQ(slots(one, ElementType::F32), 1);
  EXPECT_EQ(slots(two, ElementType::F64), 1); // a multiply-add
  EXPECT_EQ(slots(largest, ElementType::F32), 2);
  EXPECT_EQ(slots(largest, ElementType::F64), 3); // no maximum instruction
  EXPECT_EQ(slots(two, ElementType::U64), 4 + 2);
  EXPECT_EQ(slots(two, ElementType::U128), 16 + 4);
  EXPECT_EQ(slots(one, ElementType::F32, ValueForm::Log), 7);
  EXPECT_EQ(slots(two, ElementType::F32, ValueForm::Log), 1 + 7);
  EXPECT_EQ(slots(two, ElementType::F64, ValueForm::Log), 1 + 90);
  EXPECT_EQ(slots(two, ElementType::F64, ValueForm::Log, LogSum::MantissaLoads), 1);
  EXPECT_EQ(slots(two, ElementType::F64, ValueForm::Log, LogSum::MantissaTerms), 2);
}

/// result(x, y) = sum over k of f(x, k) g(y, k), tiles of 128 x 128: two pages of 16 terms. A block
/// fetches 128 * 16 entries of either table for each page; the tables stay in L2.
TEST(OperandTraffic, OfATileIsOneFetchPerPageAndBlock) {
  const NestPlan plan = pairTile(256, 384, 32);
  ASSERT_EQ(plan.launch.gridBlocks, 6u);
  const Traffic f = operandTraffic(plan, plan.segments[0], kTarget);
  EXPECT_EQ(f.dramBytes, 4 * 256 * 32);
  EXPECT_EQ(f.l2Bytes, 6 * 2 * 4 * 128 * 16);
  const Traffic g = operandTraffic(plan, plan.segments[1], kTarget);
  EXPECT_EQ(g.dramBytes, 4 * 384 * 32);
  EXPECT_EQ(g.l2Bytes, f.l2Bytes);
  EXPECT_EQ(fetchesPerBlock(plan, plan.segments[0]), 2);
}

/// Runs of four entries, aligned: half of each sector of 32 bytes.
TEST(OperandTraffic, CountsWholeSectors) {
  const NestPlan plan = oneStepStream(512, 2, ElementType::F64);
  const Traffic traffic = operandTraffic(plan, plan.segments[0], kTarget);
  EXPECT_EQ(contiguousRun(plan, 0, 4), 4u); // the whole table is one run
  EXPECT_EQ(traffic.l2Bytes, 8 * 512 * 2);
  NestPlan narrow = plan;
  narrow.form.operands[0].stridesElems = {4, 1}; // every second pair belongs to another table
  EXPECT_EQ(contiguousRun(narrow, 0, 4), 2u);
  EXPECT_EQ(operandTraffic(narrow, narrow.segments[0], kTarget).l2Bytes, 2 * 8 * 512 * 2);
}

/// One block of one page: 1.27 us for the block, 0.19 us for its page, once for each round.
TEST(CostTerms, LatencyIsTheBlocksTimesTheirRounds) {
  NestPlan plan = oneStepStream(512, 4, ElementType::F64);
  const auto latency = [&](uint64_t blocks, uint32_t perSm) {
    plan.launch.gridBlocks = blocks;
    plan.launch.minBlocksPerSm = perSm;
    modelCost(plan, kTarget, Paddings::Chosen);
    return termOf(plan, "latency");
  };
  EXPECT_DOUBLE_EQ(latency(1, 1), 1.27 + 0.19);
  EXPECT_DOUBLE_EQ(latency(132, 1), 1.27 + 0.19);
  EXPECT_DOUBLE_EQ(latency(133, 1), 2 * (1.27 + 0.19));
  EXPECT_DOUBLE_EQ(latency(264, 2), 1.27 + 0.19);
  EXPECT_DOUBLE_EQ(latency(265, 2), 2 * (1.27 + 0.19));
}

TEST(CostTerms, BytesAndSlotsOverTheirRates) {
  NestPlan plan = pairTile(256, 384, 32);
  modelCost(plan, kTarget, Paddings::Chosen);
  double dramBytes = resultTraffic(plan, kTarget).dramBytes;
  double l2Bytes = resultTraffic(plan, kTarget).l2Bytes;
  EXPECT_EQ(l2Bytes, 4 * 256 * 384);
  for (const Segment &segment : plan.segments) {
    dramBytes += operandTraffic(plan, segment, kTarget).dramBytes;
    l2Bytes += operandTraffic(plan, segment, kTarget).l2Bytes;
  }
  EXPECT_DOUBLE_EQ(termOf(plan, "dram"), dramBytes / 4250e3);
  EXPECT_DOUBLE_EQ(termOf(plan, "l2"), l2Bytes / 5500e3);
  // 8 warps, 2 pages, 64 outputs of 16 terms in each thread: products that are multiply-adds.
  const InstructionCounts counts = countInstructions(plan, kTarget, Paddings::Chosen);
  EXPECT_EQ(counts.arithmetic, 8 * 2 * 64 * 16);
  EXPECT_EQ(counts.exp2, 0);
  EXPECT_DOUBLE_EQ(termOf(plan, "arithmetic"), 6 * counts.arithmetic / (4 * kClocksPerUs));
  EXPECT_DOUBLE_EQ(termOf(plan, "issue"), 6 * counts.issueSlots / (4 * kClocksPerUs));
  EXPECT_DOUBLE_EQ(termOf(plan, "launch"), 1.5 + 0.5);
}

/// result(x, y) = sum over k of f(x, k) g(y, k) in six blocks, counted by hand. Of each of 8 warps
/// and 2 pages, 8 outputs x 16 terms of either operand are read in vectors of 16 bytes, which take
/// 4 wavefronts each. A page of an operand is fetched in 16 requests of 8 lines that are stored in
/// 4 wavefronts. A warp stores its 64 outputs in 16 requests of 4 lines.
TEST(CostTerms, SharedIsTheWavefrontsOfLoadsFetchesAndStores) {
  NestPlan plan = pairTile(256, 384, 32);
  for (Segment &segment : plan.segments)
    segment.conflictFree = true;
  modelCost(plan, kTarget, Paddings::Chosen);
  const double fragments = 8 * 2 * 2 * (8 * 16 / 4) * 4;
  const double fetches = 2 * 2 * 16 * (8 + 4);
  const double stores = 8 * 16 * 4;
  EXPECT_EQ(countInstructions(plan, kTarget, Paddings::Chosen).wavefronts,
            fragments + fetches + stores);
  EXPECT_DOUBLE_EQ(termOf(plan, "shared"), 6 * (fragments + fetches + stores) / kClocksPerUs);
}

/// The longest unit, with six blocks on 132 multiprocessors, 16 warps to fill the slots of one, 64
/// words of accumulators and sums of 32 terms.
TEST(CostTerms, WavesAreTheLongestUnitStretched) {
  NestPlan plan = pairTile(256, 384, 32);
  modelCost(plan, kTarget, Paddings::Chosen);
  const double longest = std::max({termOf(plan, "issue"), termOf(plan, "arithmetic"),
                                   termOf(plan, "shared") / 0.87, termOf(plan, "exp2")});
  const double share = 1.2 * std::pow(16 / 60.0, 0.274) / std::pow(64 / 27.0, 0.365);
  const double filled = share + (1.2 - share) * 32 / (32 + 53.0);
  EXPECT_GT(longest, 0);
  EXPECT_DOUBLE_EQ(termOf(plan, "waves"), 1.1 * longest * (132 / 6.0) / filled);
}

/// f32 sums of logarithms: an exponential for each term, or for each entry that is staged and each
/// result.
TEST(CostTerms, Exp2CountsTheSpecialFunctions) {
  NestPlan plan = pairTile(256, 384, 32, ValueForm::Log);
  const double exp2PerUs = 16 * kClocksPerUs;
  plan.logSum = LogSum::Running;
  modelCost(plan, kTarget, Paddings::Chosen);
  EXPECT_DOUBLE_EQ(termOf(plan, "exp2"), 256.0 * 384 * 32 / exp2PerUs);
  plan.logSum = LogSum::MantissaLoads;
  modelCost(plan, kTarget, Paddings::Chosen);
  EXPECT_DOUBLE_EQ(termOf(plan, "exp2"), 6 * (2 * 2 * 128 * 16 + 128.0 * 128) / exp2PerUs);
  EXPECT_EQ(cheapestLogSum(plan), LogSum::MantissaLoads);
  plan.logSum = LogSum::MantissaTerms;
  modelCost(plan, kTarget, Paddings::Chosen);
  EXPECT_DOUBLE_EQ(termOf(plan, "exp2"), (256.0 * 384 * 32 + 256 * 384) / exp2PerUs);
}

/// Memory, the busy units and waiting hide each other as the root of a sum of powers; the exponent
/// grows with the blocks that share a multiprocessor.
TEST(CostTerms, AddUpToThePrediction) {
  NestPlan plan = pairTile(1280, 1280, 64);
  for (const uint32_t perSm : {1U, 2U, 8U}) {
    plan.launch.minBlocksPerSm = perSm;
    modelCost(plan, kTarget, Paddings::Chosen);
    const double power = 1.6 + 0.91 * std::min(1.0, (perSm - 1) / 3.4);
    const double memory = std::max(termOf(plan, "dram") / 1.035, termOf(plan, "l2"));
    const double sum = std::pow(memory, power) + std::pow(termOf(plan, "waves"), power) +
                       std::pow(termOf(plan, "latency"), power);
    EXPECT_NEAR(plan.predictedUs, std::pow(sum, 1 / power) + termOf(plan, "launch"),
                1e-12 * plan.predictedUs);
    EXPECT_GT(plan.predictedUs, plan.floorUs);
  }
}

} // namespace
