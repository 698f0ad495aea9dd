// Sums up a campaign by solver and task, and compares solvers with the first one.
#pragma once

#include "tools/mpf-bench/networks/campaign.h"

#include <optional>
#include <string>
#include <vector>

namespace mpf::bench {

/// Returns the geometric mean of positive numbers; 1 for none.
double geometricMean(const std::vector<double> &values);
/// Returns the least value that at least `share` (0 to 1) of the values do not exceed; 0 for none.
double quantile(std::vector<double> values, double share);

/// Errors of predicted times.
struct PredictionError {
  size_t count = 0;
  double geometricRatio = 1;        ///< geometric mean of predicted / measured
  double median = 0, ninetieth = 0; ///< percentiles of |predicted / measured - 1|
};
/// Returns the errors over the runs that are solved and predicted: of later runs (PhaseSeconds::
/// anyRun), and of first runs, with first touches of memory.
PredictionError predictionError(const std::vector<const SolverRun *> &runs);
PredictionError firstPredictionError(const std::vector<const SolverRun *> &runs);

struct SolverSummary {
  std::string solver, task;
  size_t tasks = 0, solved = 0, planned = 0, refused = 0, timedOut = 0, notRun = 0, failed = 0;
  size_t different = 0;                        ///< answers that differ from the first solver's
  double totalSeconds = 0;                     ///< sum over solved tasks
  double medianSeconds = 0;                    ///< median over solved tasks
  PredictionError prediction, firstPrediction; ///< of later runs, and of first ones
  size_t shared = 0;         ///< tasks for which this solver and the first one have an answer
  double totalOverFirst = 1; ///< time of whole processes over the first solver's, geometric mean
  /// The same ratio for planning and running, without reading and opening.
  double workOverFirst = 1;
  /// Tasks for which both have a plan; the ratios of the time to make an executable program follow.
  size_t planShared = 0;
  double planOverFirst = 1, mostPlanOverFirst = 1;
  double mostPlanSeconds = 0;
};

/// Returns a summary for each solver and task, in the order of the runs.
std::vector<SolverSummary> summariseNetworks(const std::vector<TaskRuns> &tasks);

/// A slow pass of the planner.
struct SlowPass {
  std::string instance, task, solver, pass;
  double seconds = 0;
};
/// Returns the slowest passes of all runs, at most `most`, the slowest first.
std::vector<SlowPass> slowestPasses(const std::vector<TaskRuns> &tasks, size_t most);

} // namespace mpf::bench
