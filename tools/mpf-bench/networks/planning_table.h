// Compares the times of planning and of a run: a table of every instance, task and device.
#pragma once

#include "tools/mpf-bench/networks/campaign.h"

#include <string>
#include <vector>

namespace mpf::bench {

struct PlanningRow {
  std::string instance, task, solver;
  double planMs = 0;
  double runMs = 0;         ///< 0: neither measured nor predicted
  bool isPredicted = false; ///< whether runMs is predicted: there was no device to run on
  std::string slowestPass;  ///< slowest pass of the planner
  double slowestPassMs = 0;

  /// Whether planning takes longer than the run, and longer than kWaitedForMs.
  bool isSlow() const;
};

inline constexpr double kWaitedForMs = 100;

/// Returns a row for each run of mpf with a plan; the slowest planning first.
std::vector<PlanningRow> planningRows(const std::vector<TaskRuns> &tasks);

/// Returns at most `most` rows as Markdown, after a line with the number of slow ones.
std::string planningTable(const std::vector<PlanningRow> &rows, size_t most);

/// Returns all rows as comma-separated values, with a header.
std::string planningCsv(const std::vector<PlanningRow> &rows);

} // namespace mpf::bench
