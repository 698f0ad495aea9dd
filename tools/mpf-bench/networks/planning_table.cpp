#include "tools/mpf-bench/networks/planning_table.h"

#include <algorithm>
#include <fmt/core.h>
#include <functional>

namespace mpf::bench {

namespace {

PlanningRow rowOf(const TaskRuns &task, const SolverRun &solver) {
  const NetworkRun &run = solver.run;
  PlanningRow row{
      task.instance, task.task, solver.solver, run.seconds.plan() * 1e3, 0, false, "", 0};
  row.runMs = run.seconds.anyRun() * 1e3;
  if (run.status != RunStatus::Solved) {
    row.runMs = run.predictedRunUs * 1e-3;
    row.isPredicted = row.runMs > 0;
  }
  for (const auto &[pass, seconds] : run.passSeconds)
    if (seconds * 1e3 > row.slowestPassMs) {
      row.slowestPass = pass;
      row.slowestPassMs = seconds * 1e3;
    }
  return row;
}

std::string runText(const PlanningRow &row) {
  return row.runMs == 0 ? "-" : fmt::format("{:.3g}{}", row.runMs, row.isPredicted ? " p" : "");
}

} // namespace

bool PlanningRow::isSlow() const { return planMs > kWaitedForMs && runMs > 0 && planMs > runMs; }

std::vector<PlanningRow> planningRows(const std::vector<TaskRuns> &tasks) {
  std::vector<PlanningRow> rows;
  for (const TaskRuns &task : tasks)
    for (const SolverRun &solver : task.runs)
      if (solver.solver.starts_with("mpf ") && solver.run.seconds.planning > 0)
        rows.push_back(rowOf(task, solver));
  std::ranges::stable_sort(rows, std::greater<>(), &PlanningRow::planMs);
  return rows;
}

std::string planningTable(const std::vector<PlanningRow> &rows, size_t most) {
  const auto slow = std::ranges::count_if(rows, &PlanningRow::isSlow);
  std::string text = fmt::format(
      "{} of {} plans (*) take longer than the run and than {:.0f} ms. p: predicted, as "
      "there was no such device.\n\n"
      "| instance | task | solver | planning ms | run ms | slowest pass, ms | |\n"
      "|---|---|---|---|---|---|---|\n",
      slow, rows.size(), kWaitedForMs);
  for (size_t i = 0; i < std::min(rows.size(), most); ++i) {
    const PlanningRow &row = rows[i];
    text += fmt::format("| {} | {} | {} | {:.3g} | {} | {} {:.3g} |{} |\n", row.instance, row.task,
                        row.solver, row.planMs, runText(row), row.slowestPass, row.slowestPassMs,
                        row.isSlow() ? " *" : "");
  }
  return text;
}

std::string planningCsv(const std::vector<PlanningRow> &rows) {
  std::string text = "instance,task,solver,planning_ms,run_ms,run_predicted,slowest_pass,"
                     "slowest_pass_ms,slow\n";
  for (const PlanningRow &row : rows)
    text += fmt::format("{},{},{},{:.4g},{:.4g},{},{},{:.4g},{}\n", row.instance, row.task,
                        row.solver, row.planMs, row.runMs, row.isPredicted ? 1 : 0, row.slowestPass,
                        row.slowestPassMs, row.isSlow() ? 1 : 0);
  return text;
}

} // namespace mpf::bench
