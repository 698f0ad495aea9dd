// The table of planning times: its order, its marks, and runs that are only predicted.
#include "tools/mpf-bench/networks/planning_table.h"

#include <gtest/gtest.h>

namespace mpf::bench {
namespace {

SolverRun planned(const std::string &solver, double planning, double run, double predictedUs) {
  SolverRun of;
  of.solver = solver;
  of.run.status = run > 0 ? RunStatus::Solved : RunStatus::Planned;
  of.run.seconds.planning = planning;
  of.run.seconds.firstRun = run;
  of.run.predictedRunUs = predictedUs;
  of.run.passSeconds = {{"eliminate", planning / 4}, {"join-buckets", planning / 2}};
  return of;
}

TEST(PlanningTable, SlowestFirstAndMarked) {
  const std::vector<TaskRuns> tasks = {
      {"a", "PR", {planned("mpf cpu 1", 0.09, 0.001, 0), planned("mpf gpu", 0.3, 0, 2e3)}},
      {"b", "MAR", {planned("mpf cpu 1", 0.2, 0.5, 0), planned("pyagrum", 9, 0.1, 0)}},
      {"c", "MPE", {planned("mpf cpu 1", 0.4, 0.1, 0), planned("mpf gpu", 0, 0, 0)}},
      {"d", "PR", {planned("mpf gpu", 0.15, 0, 0)}}};
  const std::vector<PlanningRow> rows = planningRows(tasks);
  ASSERT_EQ(rows.size(), 5u) << "what has a plan, of mpf";
  std::string names;
  for (const PlanningRow &row : rows)
    names += row.instance + (row.isSlow() ? "* " : " ");
  EXPECT_EQ(names, "c* a* b d a ");
  EXPECT_TRUE(rows[1].isPredicted);
  EXPECT_DOUBLE_EQ(rows[1].runMs, 2);
  EXPECT_FALSE(rows[0].isPredicted);
  EXPECT_EQ(rows[0].slowestPass, "join-buckets");

  const std::string text = planningTable(rows, 2);
  EXPECT_TRUE(text.starts_with("2 of 5 plans (*)")) << text;
  EXPECT_NE(text.find("| a | PR | mpf gpu | 300 | 2 p | join-buckets 150 | * |\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("| b |"), std::string::npos) << "two rows were asked for";
  EXPECT_NE(planningTable(rows, 9).find("| d | PR | mpf gpu | 150 | - |"), std::string::npos);
  EXPECT_NE(planningCsv(rows).find("\nb,MAR,mpf cpu 1,200,500,0,join-buckets,100,0\n"),
            std::string::npos)
      << planningCsv(rows);
}

} // namespace
} // namespace mpf::bench
