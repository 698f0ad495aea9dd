// Answers that count as equal, and the program whose answer differs.
#include "dsl/support/error.h"
#include "tools/mpf-bench/networks/campaign.h"

#include <gtest/gtest.h>
#include <limits>

namespace mpf::bench {
namespace {

NetworkRun numberRun(double log10Value) {
  NetworkRun run;
  run.status = RunStatus::Solved;
  run.log10Value = log10Value;
  return run;
}

NetworkRun marginalRun(std::vector<std::vector<double>> marginals) {
  NetworkRun run;
  run.status = RunStatus::Solved;
  run.marginals = std::move(marginals);
  return run;
}

TEST(CompareAnswers, NumbersToOneMillionth) {
  EXPECT_EQ(answerDifference(numberRun(-2), numberRun(-2 + 1.9e-6)), "");
  EXPECT_NE(answerDifference(numberRun(-2), numberRun(-2 + 2.1e-6)), "");
  EXPECT_EQ(answerDifference(numberRun(-1e-9), numberRun(0)), "");
  const double none = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(answerDifference(numberRun(none), numberRun(none)), "");
  EXPECT_NE(answerDifference(numberRun(none), numberRun(-300)), "");
  EXPECT_NE(answerDifference(numberRun(-1), numberRun(std::numeric_limits<double>::quiet_NaN())),
            "");
}

TEST(CompareAnswers, Marginals) {
  const NetworkRun right = marginalRun({{0.25, 0.75}, {1, 0}});
  EXPECT_EQ(answerDifference(right, marginalRun({{0.2500001, 0.7499999}, {1, 0}})), "");
  EXPECT_EQ(answerDifference(right, marginalRun({{0.25, 0.75}, {0.99, 0.01}})),
            "P(x1 = 0) is 0.99 instead of 1");
  EXPECT_EQ(answerDifference(right, marginalRun({{0.25, 0.75}})), "1 marginals instead of 2");
  EXPECT_NE(answerDifference(right, marginalRun({{0.25, 0.75, 0}, {1, 0}})), "");
  EXPECT_EQ(answerDifference(right, numberRun(-1)), "an answer of another kind");
}

TEST(CompareAnswers, ThoseWithoutAnAnswerDoNotDiffer) {
  NetworkRun refused;
  refused.status = RunStatus::Refused;
  TaskRuns task{"one", "PR", {}};
  for (const NetworkRun &run : {refused, numberRun(-1), refused, numberRun(-1), numberRun(-2)}) {
    SolverRun solver;
    solver.run = run;
    task.runs.push_back(solver);
  }
  compareAnswers(task);
  for (size_t i = 0; i < 4; ++i)
    EXPECT_EQ(task.runs[i].difference, "") << i;
  EXPECT_NE(task.runs[4].difference, "");
  EXPECT_TRUE(task.disagrees());
}

TEST(NetworkRun, JsonKeepsEverything) {
  NetworkRun run = numberRun(-std::numeric_limits<double>::infinity());
  run.why = "because";
  run.device = "cpu";
  run.seconds.planning = 0.5;
  run.seconds.transfer = 0.25;
  run.predictedRunUs = 3;
  run.predictedTouchUs = 4;
  run.touchedBytes = 5;
  run.operations = 7;
  run.passSeconds["split-k"] = 0.125;
  run.marginals = {{0.5, 0.5}};
  const NetworkRun read = parseRun(runJson(run));
  EXPECT_EQ(runJson(read), runJson(run));
  EXPECT_EQ(read.status, RunStatus::Solved);
  EXPECT_EQ(read.log10Value, run.log10Value);
  EXPECT_EQ(read.seconds.transfer, 0.25);
  EXPECT_EQ(predictedFirstUs(read), 7);
  EXPECT_EQ(predictedFirstUs(NetworkRun()), 0);
  EXPECT_EQ(read.touchedBytes, 5u);
  EXPECT_EQ(read.passSeconds.at("split-k"), 0.125);
  EXPECT_THROW(parseRun("{"), Error);
  EXPECT_THROW(parseRun(R"({"status": "well"})"), Error);
}

} // namespace
} // namespace mpf::bench
