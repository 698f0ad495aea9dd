// Runs every solver on every task of every network, each in a separate process, and compares their
// answers.
#pragma once

#include "tools/mpf-bench/networks/network_run.h"
#include "tools/mpf-bench/networks/network_solvers.h"

#include <functional>
#include <string>
#include <vector>

namespace mpf::bench {

/// The result of one solver for one task. Seconds are times of whole processes, seen from outside,
/// without further runs of the same program.
struct SolverRun {
  std::string solver;
  NetworkRun run;                ///< run of the later process, if there are two
  double totalSeconds = 0;       ///< time of that process
  double coldTotalSeconds = 0;   ///< time of the first process; 0: there was none
  double coldOpeningSeconds = 0; ///< PhaseSeconds::opening of the first, with compiling kernels
  std::string difference;        ///< from the answer of the first solver with one; empty: none

  /// Returns the time in which a first process compiles kernels, which a later one finds on disk.
  double compilingSeconds() const;
};

struct TaskRuns {
  std::string instance, task;
  std::vector<SolverRun> runs; ///< by solver

  const SolverRun *of(const std::string &solver) const;
  bool disagrees() const;
};

inline constexpr double kAnswerTolerance = 1e-6;

/// Returns how `found` differs from `right`, as a sentence; empty: by at most kAnswerTolerance. The
/// difference of posteriors is absolute. That of log10 values is relative, or absolute below 1.
/// Runs without an answer do not differ.
std::string answerDifference(const NetworkRun &right, const NetworkRun &found);
/// Sets SolverRun::difference of all runs.
void compareAnswers(TaskRuns &runs);

/// Runs the campaign, and calls `done` after each task. A solver that fails, refuses or takes too
/// long gives a run with that status. Throws Error(Usage) if no instance has the given names.
std::vector<TaskRuns> runCampaign(const NetworkBenchOptions &options,
                                  const std::function<void(const TaskRuns &)> &done);

} // namespace mpf::bench
