// The numbers that describe lane programs, and the predictions from these.
#include "runtime/choose/lane_facts.h"

#include "runtime/choose/lane_engines.h"
#include "tests/unit/codegen/lanes/lane_programs.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

LanePlan smallPlan() {
  LanePlan plan;
  plan.program = test::smallLaneProgram(QueryKind::Evidence);
  plan.laneCost = 20;
  plan.tableElems = 64;
  return plan;
}

TEST(LaneFacts, TellWhatIsSharedFromWhatIsOfEachCase) {
  const LaneFacts facts = laneFacts(smallPlan());
  EXPECT_EQ(facts.commonOperations, 1u);
  EXPECT_EQ(facts.commonMultiplyAdds, 18); // c0: 3 codes x 3 states of b x 2 of a
  EXPECT_EQ(facts.sharedTables, 1u);       // c0; only the common operation reads the others
  EXPECT_EQ(facts.sharedElems, 9u);
  ASSERT_EQ(facts.frontier.size(), 1u);
  EXPECT_EQ(facts.frontier[0].name, "c0");
  EXPECT_EQ(facts.frontier[0].variables, std::vector<std::string>{"a"});
  EXPECT_EQ(facts.frontier[0].rows, 3);
  EXPECT_EQ(facts.frontier[0].rowElems, 3u);
  EXPECT_EQ(facts.digits, 1u);
  EXPECT_EQ(facts.pickedAlone, 1u); // the indicator of a, and the table over its digit
  EXPECT_EQ(facts.gathers, 2u);
  EXPECT_EQ(facts.products, 2u);
  EXPECT_EQ(facts.multiplyAdds, 3 + 2);
  EXPECT_EQ(facts.laneElems, 7u);
}

TEST(LaneFacts, NoFrontierWithoutTablesOverEvidenceDigits) {
  test::LaneProgramBuilder builder;
  const uint32_t values = builder.values({0.5, 0.25});
  const uint32_t sum = builder.message(1);
  builder.sum(sum, values);
  builder.output(sum);
  LanePlan plan;
  plan.program = builder.program;
  const LaneFacts facts = laneFacts(plan);
  EXPECT_TRUE(facts.frontier.empty());
  EXPECT_EQ(facts.digits, 0u);
}

TEST(LaneEngines, WorkersFollowThreadsAndTheBound) {
  const LanePlan plan = smallPlan();
  const EngineFacts one = laneEngines(plan, {1, UINT64_MAX, {}}).front();
  const EngineFacts four = laneEngines(plan, {4, UINT64_MAX, {}}).front();
  EXPECT_EQ(one.casesAtOnce, 32u); // 256 bytes of f64
  EXPECT_EQ(four.casesAtOnce, 4 * one.casesAtOnce);
  EXPECT_DOUBLE_EQ(four.rowsPerSecond, 4 * one.rowsPerSecond);
  EXPECT_EQ(four.caseBytes, one.caseBytes);
  LanePlan dear = plan; // so much work that all other times are negligible
  dear.laneCost = 1e9;
  LanePlan dearer = dear;
  dearer.laneCost = 2e9;
  EXPECT_NEAR(laneEngines(dear, {1, UINT64_MAX, {}}).front().rowsPerSecond /
                  laneEngines(dearer, {1, UINT64_MAX, {}}).front().rowsPerSecond,
              2, 1e-3);
  EXPECT_THROW(laneEngines(plan, {1, 64, {}}), Error);
}

TEST(LaneEngines, OnAGpuThreadsThenTeams) {
  const Target target = targetNamed("sm_90");
  const std::vector<EngineFacts> engines = laneEngines(smallPlan(), {1, UINT64_MAX, target});
  ASSERT_EQ(engines.size(), 3u);
  EXPECT_FALSE(engines[0].refused);
  EXPECT_EQ(engines[0].casesAtOnce % target.smCount, 0u);
  EXPECT_LE(engines[0].casesAtOnce, uint64_t{target.smCount} * target.maxThreadsPerSm);
  EXPECT_EQ(engines[1].casesAtOnce % (32u * target.smCount), 0u);
  EXPECT_EQ(engines[2].casesAtOnce, 32u * target.smCount); // messages fit the shared memory
  EXPECT_GE(engines[0].rowsPerSecond, engines[1].rowsPerSecond);
  EXPECT_GE(engines[1].rowsPerSecond, engines[2].rowsPerSecond);
  for (const EngineFacts &engine : engines)
    EXPECT_GE(engine.caseBytes, 3 * sizeof(double)) << engine.name << " holds a message of 3";
}

/// Compiling a kernel for few cases takes longer than it gains.
TEST(LaneEngines, FewCasesAreAnsweredByTableDrivenTeams) {
  LaneSetting setting{1, UINT64_MAX, targetNamed("sm_90")};
  setting.tableDrivenSeconds = 1e-4;
  const std::vector<EngineFacts> engines = laneEngines(smallPlan(), setting);
  ASSERT_EQ(engines.size(), 3u);
  EXPECT_TRUE(engines[0].refused);
  EXPECT_TRUE(engines[1].refused);
  EXPECT_FALSE(engines[2].refused);
}

/// The program has more products than a kernel of straight-line code should have.
TEST(LaneEngines, ProgramsBeyondAThreadAreForTeams) {
  LanePlan plan;
  plan.program = test::sumOfSquares(9000);
  plan.laneCost = 18000;
  const std::vector<EngineFacts> engines = laneEngines(plan, {1, UINT64_MAX, targetNamed("sm_90")});
  EXPECT_TRUE(engines[0].refused);
  EXPECT_FALSE(engines[1].refused);
  EXPECT_FALSE(engines[2].refused);
  EXPECT_EQ(engines[2].casesAtOnce, 8 * 32u * targetNamed("sm_90").smCount); // in device memory
}

} // namespace
} // namespace mpf
