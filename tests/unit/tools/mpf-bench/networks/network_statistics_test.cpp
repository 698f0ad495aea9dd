// Statistics of a campaign: means, quantiles, errors of predictions, shared instances.
#include "tools/mpf-bench/networks/network_statistics.h"

#include <cmath>
#include <gtest/gtest.h>

namespace mpf::bench {
namespace {

SolverRun solvedRun(const std::string &solver, double total, double plan, double run,
                    double predictedUs) {
  SolverRun solved;
  solved.solver = solver;
  solved.run.status = RunStatus::Solved;
  solved.run.seconds.planning = plan;
  solved.run.seconds.run = run;
  solved.run.predictedRunUs = predictedUs;
  solved.totalSeconds = total;
  return solved;
}

TEST(NetworkStatistics, MeansAndQuantiles) {
  EXPECT_DOUBLE_EQ(geometricMean({2, 8}), 4);
  EXPECT_DOUBLE_EQ(geometricMean({}), 1);
  EXPECT_DOUBLE_EQ(quantile({5, 1, 4, 2, 3}, 0.5), 3);
  EXPECT_DOUBLE_EQ(quantile({5, 1, 4, 2, 3}, 0.9), 5);
  EXPECT_DOUBLE_EQ(quantile({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0.9), 9);
  EXPECT_DOUBLE_EQ(quantile({7}, 0), 7);
  EXPECT_DOUBLE_EQ(quantile({}, 0.5), 0);
}

TEST(NetworkStatistics, ErrorsOfPredictions) {
  // 1.5, 0.5, and 4 times the time; a run without a prediction does not count.
  const std::vector<SolverRun> runs = {solvedRun("a", 1, 1, 1e-6, 1.5),
                                       solvedRun("a", 1, 1, 2e-6, 1), solvedRun("a", 1, 1, 1e-6, 4),
                                       solvedRun("a", 1, 1, 1e-6, 0)};
  std::vector<const SolverRun *> pointers;
  for (const SolverRun &run : runs)
    pointers.push_back(&run);
  const PredictionError error = predictionError(pointers);
  EXPECT_EQ(error.count, 3u);
  EXPECT_NEAR(error.geometricRatio, std::cbrt(1.5 * 0.5 * 4), 1e-12);
  EXPECT_NEAR(error.median, 0.5, 1e-12);
  EXPECT_NEAR(error.ninetieth, 3, 1e-12);
}

TEST(NetworkStatistics, ErrorsOfFirstRunsCountFirstTouches) {
  SolverRun run = solvedRun("a", 1, 1, 1e-6, 1);
  run.run.seconds.firstRun = 4e-6;
  run.run.predictedTouchUs = 5;
  SolverRun unpredicted = run;
  unpredicted.run.predictedRunUs = 0;
  const PredictionError error = firstPredictionError({&run, &unpredicted});
  EXPECT_EQ(error.count, 1u);
  EXPECT_NEAR(error.geometricRatio, 1.5, 1e-12);
}

TEST(NetworkStatistics, ComparesWithTheFirstSolverWhereBothHaveAnAnswer) {
  TaskRuns one{"one", "PR", {solvedRun("a", 2, 0.1, 0.3, 0), solvedRun("b", 8, 0.8, 0.8, 0)}};
  TaskRuns two{"two", "PR", {solvedRun("a", 2, 0.1, 0.3, 0), solvedRun("b", 2, 0.1, 0.3, 0)}};
  TaskRuns late = one;
  late.runs[1].run.status = RunStatus::TimedOut; // it still has a plan
  late.runs[1].run.seconds.planning = 0.1;
  const std::vector<SolverSummary> summaries = summariseNetworks({one, two, late});
  ASSERT_EQ(summaries.size(), 2u);
  const SolverSummary &b = summaries[1];
  EXPECT_EQ(b.solver, "b");
  EXPECT_EQ(b.tasks, 3u);
  EXPECT_EQ(b.solved, 2u);
  EXPECT_EQ(b.timedOut, 1u);
  EXPECT_EQ(b.shared, 2u);
  EXPECT_DOUBLE_EQ(b.totalOverFirst, 2);
  EXPECT_DOUBLE_EQ(b.workOverFirst, 2);
  EXPECT_EQ(b.planShared, 3u);
  EXPECT_DOUBLE_EQ(b.planOverFirst, 2);
  EXPECT_DOUBLE_EQ(b.mostPlanOverFirst, 8);
  EXPECT_DOUBLE_EQ(b.mostPlanSeconds, 0.8);
  EXPECT_DOUBLE_EQ(b.totalSeconds, 10);
}

TEST(NetworkStatistics, TasksAreSummedUpApart) {
  const TaskRuns pr{"one", "PR", {solvedRun("a", 2, 0.1, 0.3, 0)}};
  const TaskRuns mar{"one", "MAR", {solvedRun("a", 3, 0.1, 0.3, 0)}};
  const std::vector<SolverSummary> summaries = summariseNetworks({pr, mar, pr});
  ASSERT_EQ(summaries.size(), 2u);
  EXPECT_EQ(summaries[0].tasks, 2u);
  EXPECT_EQ(summaries[1].task, "MAR");
}

TEST(NetworkStatistics, SlowestPassesFirst) {
  TaskRuns task{"one", "PR", {solvedRun("a", 2, 0.1, 0.3, 0)}};
  task.runs[0].run.passSeconds = {{"fast", 0.1}, {"slow", 2}, {"middle", 1}};
  const std::vector<SlowPass> passes = slowestPasses({task}, 2);
  ASSERT_EQ(passes.size(), 2u);
  EXPECT_EQ(passes[0].pass, "slow");
  EXPECT_EQ(passes[1].pass, "middle");
}

} // namespace
} // namespace mpf::bench
