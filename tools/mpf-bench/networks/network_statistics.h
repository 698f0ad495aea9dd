// Sums up a campaign: by solver and task, and solvers beside the first one.
#pragma once

#include "tools/mpf-bench/networks/campaign.h"

#include <optional>
#include <string>
#include <vector>

namespace mpf::bench {

/// exp of the mean of the logarithms of positive numbers; 1 for none.
double geometricMean(const std::vector<double> &values);
/// The least value that at least `share` (0 to 1) of the values do not exceed; 0 for none.
double quantile(std::vector<double> values, double share);

/// How far predictions of the time of a run are off: of |predicted / measured - 1|.
struct PredictionError {
  size_t count = 0;
  double geometricRatio = 1; ///< mean of predicted / measured
  double median = 0, ninetieth = 0;
};
/// Of runs that are solved and predicted.
PredictionError predictionError(const std::vector<const SolverRun *> &runs);

struct SolverSummary {
  std::string solver, task;
  size_t tasks = 0, solved = 0, planned = 0, refused = 0, timedOut = 0, notRun = 0, failed = 0;
  size_t different = 0;     ///< answers that differ from the first solver's
  double totalSeconds = 0;  ///< of all that are solved
  double medianSeconds = 0; ///< likewise
  PredictionError prediction;
  /// Whole processes: the other solver's seconds over the first one's where both have an answer.
  size_t shared = 0;
  double totalOverFirst = 1; ///< geometric mean
  /// Plan and run inside a process, without reading and opening: likewise.
  double workOverFirst = 1;
  /// Making an executable program: where both have a plan.
  size_t planShared = 0;
  double planOverFirst = 1, mostPlanOverFirst = 1;
  double mostPlanSeconds = 0;
};

/// One for each solver and task, in the order of the runs.
std::vector<SolverSummary> summariseNetworks(const std::vector<TaskRuns> &tasks);

/// The planner's passes that took long, of all runs: the slowest first.
struct SlowPass {
  std::string instance, task, solver, pass;
  double seconds = 0;
};
std::vector<SlowPass> slowestPasses(const std::vector<TaskRuns> &tasks, size_t most);

} // namespace mpf::bench
