// How long mpf plans, beside how long a run takes: a table of every instance, task and device.
#pragma once

#include "tools/mpf-bench/networks/campaign.h"

#include <string>
#include <vector>

namespace mpf::bench {

struct PlanningRow {
  std::string instance, task, solver;
  double planMs = 0;
  double runMs = 0;         ///< 0: neither measured nor predicted
  bool isPredicted = false; ///< of runMs: there was no device to run on
  std::string slowestPass;  ///< of the planner
  double slowestPassMs = 0;

  /// Planning takes longer than the run, and long enough to be waited for.
  bool isSlow() const;
};

inline constexpr double kWaitedForMs = 100;

/// One for each run of mpf that came to a plan; the slowest planning first.
std::vector<PlanningRow> planningRows(const std::vector<TaskRuns> &tasks);

/// As Markdown, with how many are slow in front; at most `most` rows.
std::string planningTable(const std::vector<PlanningRow> &rows, size_t most);

/// All rows, a line each: comma-separated values with a header.
std::string planningCsv(const std::vector<PlanningRow> &rows);

} // namespace mpf::bench
