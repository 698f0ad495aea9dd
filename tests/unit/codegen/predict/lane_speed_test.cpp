// Predictions of the fastest way, for few cases and for many.
#include "codegen/predict/lane_speed.h"

#include "tests/unit/codegen/lanes/lane_programs.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(EngineSpeed, FewCasesTakeAsLongAsAWholeRound) {
  const EngineSpeed speed{1000, 100};
  EXPECT_DOUBLE_EQ(speed.secondsFor(1), 0.1);
  EXPECT_DOUBLE_EQ(speed.secondsFor(100), 0.1);
  EXPECT_DOUBLE_EQ(speed.secondsFor(101), 0.2);
}

TEST(EngineSpeed, ARestTakesWhatTheNextLargerPartOfARoundTakes) {
  EngineSpeed speed{1000, 100};
  speed.partRounds = {{4, 0.01}, {32, 0.02}};
  EXPECT_DOUBLE_EQ(speed.secondsFor(4), 0.01);
  EXPECT_DOUBLE_EQ(speed.secondsFor(5), 0.02);
  EXPECT_DOUBLE_EQ(speed.secondsFor(33), 0.1);
  EXPECT_DOUBLE_EQ(speed.secondsFor(204), 0.21);
}

LanePlan planOf(uint64_t elems) {
  test::LaneProgramBuilder builder;
  const uint32_t values = builder.values(std::vector<double>(elems, 0.5));
  const uint32_t square = builder.message(elems), total = builder.message(1);
  builder.multiply(square, {values, values});
  builder.sum(total, square);
  builder.output(total);
  builder.program.laneElems = elems + 1;
  LanePlan plan;
  plan.program = builder.program;
  plan.laneCost = 2.0 * static_cast<double>(elems);
  return plan;
}

/// Returns a plan of many products that workers share, and a short sum.
LanePlan productsOf(uint64_t elems) {
  test::LaneProgramBuilder builder;
  const uint32_t values = builder.values(std::vector<double>(elems, 0.5)),
                 few = builder.values(std::vector<double>(8, 0.5));
  const uint32_t square = builder.message(elems), small = builder.message(8),
                 total = builder.message(1);
  builder.multiply(square, {values, values});
  builder.multiply(small, {few, few});
  builder.sum(total, small);
  builder.output(total);
  builder.program.laneElems = elems + 9;
  LanePlan plan;
  plan.program = builder.program;
  plan.laneCost = 2.0 * static_cast<double>(elems);
  return plan;
}

TEST(LaneSpeed, MessagesBeyondTheCacheOfACoreAreSlow) {
  const EngineSpeed near = laneSpeed(planOf(16'000), EngineRates(), 2, {}),
                    far = laneSpeed(planOf(17'000), EngineRates(), 2, {});
  EXPECT_GT(near.rowsPerSecond, 1.5 * far.rowsPerSecond);
  EXPECT_DOUBLE_EQ(near.rowsPerSecond,
                   2 * laneSpeed(planOf(16'000), EngineRates(), 1, {}).rowsPerSecond);
}

TEST(LaneSpeed, FollowsTheRatesOfTheMachine) {
  const LanePlan plan = planOf(1000);
  EngineRates rates;
  rates.cpuLanes = {.f64PerUs = 100, .f32PerUs = 100, .caseUs = 5, .answerUs = 2};
  EXPECT_DOUBLE_EQ(laneSpeed(plan, rates, 3, {}).rowsPerSecond,
                   3 * 1e6 / (plan.laneCost / 100 + 5 + 2 * answerElems(plan.program)));
  const Target target = targetNamed("sm_90");
  const auto rowsPerSecond = [&](const LanePlan &of) {
    return laneSpeed(of, rates, 1, target).rowsPerSecond;
  };
  const double threads = rowsPerSecond(plan), teams = rowsPerSecond(planOf(50'000));
  rates.gpuLanes.issuedShare /= 100;
  EXPECT_NEAR(rowsPerSecond(plan), threads / 100, threads / 1000);
  rates.gpuLanes.farWaitUs *= 100;
  rates.gpuLanes.nearWaitUs *= 100;
  EXPECT_LT(rowsPerSecond(planOf(50'000)), teams / 10);
}

/// A strip has one thread. It has 256 bytes, or 64 if a wide one leaves the cache.
TEST(LaneSpeed, OneCaseOnACpuTakesAsLongAsAStrip) {
  const EngineSpeed wide = laneSpeed(planOf(1000), EngineRates(), 2, {}),
                    narrow = laneSpeed(planOf(9000), EngineRates(), 2, {});
  EXPECT_EQ(wide.casesAtOnce, 64u);
  EXPECT_EQ(narrow.casesAtOnce, 16u);
  EXPECT_DOUBLE_EQ(wide.secondsFor(1), wide.secondsFor(64));
}

TEST(LaneSpeed, TeamsOfFewCasesLeaveAGpuIdle) {
  const Target target = targetNamed("sm_90");
  const EngineSpeed threads = laneSpeed(planOf(1000), EngineRates(), 1, target),
                    teams = laneSpeed(planOf(50'000), EngineRates(), 1, target);
  EXPECT_EQ(teams.casesAtOnce % (32u * target.smCount), 0u);
  EXPECT_LT(threads.secondsFor(1e7), teams.secondsFor(1e7));
}

/// Each team has a multiprocessor to itself, and few share the memory, so they take less time than
/// a full round.
TEST(LaneSpeed, FewCasesByTeamsTakeLessThanAWholeRound) {
  const EngineSpeed teams = laneSpeed(productsOf(50'000), EngineRates(), 1, targetNamed("sm_90"));
  EXPECT_DOUBLE_EQ(teams.secondsFor(33), teams.secondsFor(64));
  EXPECT_LE(teams.secondsFor(64), teams.secondsFor(512));
  EXPECT_LT(3 * teams.secondsFor(512), teams.secondsFor(static_cast<double>(teams.casesAtOnce)));
}

/// Messages of 8 teams of 32 cases fill the memory, so the cases are spread over more teams.
TEST(LaneSpeed, MessagesThatFillTheMemoryBoundTheCasesAtOnce) {
  Target target = targetNamed("sm_90");
  const LanePlan plan = planOf(50'000);
  const double roomy = laneSpeed(plan, EngineRates(), 1, target).rowsPerSecond;
  target.memoryBytes = 8 * 32 * plan.program.laneElems * sizeof(double) * 10 / 9 + 100;
  const EngineSpeed tight = laneSpeed(plan, EngineRates(), 1, target);
  EXPECT_EQ(tight.casesAtOnce, 256u);
  EXPECT_LT(tight.rowsPerSecond, roomy);
}

/// A run decides likewise (fitsShared), because a kernel itself declares some shared memory.
TEST(LaneSpeed, MessagesThatFillASharedMemoryAreNotInIt) {
  const Target target = targetNamed("sm_90");
  const auto rowsWith = [&](uint64_t laneElems) {
    LanePlan plan = planOf(50'000);
    plan.program.laneElems = laneElems;
    return laneSpeed(plan, EngineRates(), 1, target).rowsPerSecond;
  };
  const uint64_t filling = target.sharedBytesPerBlock / (32 * sizeof(double));
  EXPECT_DOUBLE_EQ(rowsWith(filling), rowsWith(filling + 1));
  EXPECT_NE(rowsWith(filling), rowsWith(filling - 32));
}

/// Few cases leave most of a GPU idle. The time over which planning must pay is that of these
/// cases, not their share of the time of many.
TEST(LaneLoad, FewCasesOfTeamsLastLongerThanTheirShareOfMany) {
  const Target target = targetNamed("sm_90");
  const LanePlan plan = productsOf(50'000);
  constexpr double kFew = 32, kMany = 1e8;
  EXPECT_GT(listUs(plan, {kFew, EngineRates(), 1, target}),
            4 * listUs(plan, {kMany, EngineRates(), 1, target}) * kFew / kMany);
}

TEST(LaneLoad, IsThatOfTheEngineOnEitherDevice) {
  const LanePlan plan = planOf(1000);
  EXPECT_DOUBLE_EQ(listUs(plan, {1000, EngineRates(), 2, {}}),
                   1e6 * laneSpeed(plan, EngineRates(), 2, {}).secondsFor(1000));
  const Target target = targetNamed("sm_90");
  EXPECT_DOUBLE_EQ(listUs(plan, {1e9, EngineRates(), 2, target}),
                   1e6 * laneSpeed(plan, EngineRates(), 2, target, 1e3).secondsFor(1e9))
      << "by a kernel with a thread for each case";
}

} // namespace
} // namespace mpf
