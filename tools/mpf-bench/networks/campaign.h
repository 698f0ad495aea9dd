// Runs every solver on every task of every network, each in a process of its own, and compares
// their answers.
#pragma once

#include "tools/mpf-bench/networks/network_run.h"
#include "tools/mpf-bench/networks/network_solvers.h"

#include <functional>
#include <string>
#include <vector>

namespace mpf::bench {

/// What one solver did with one task. Seconds are of whole processes, as seen from outside, less
/// what they spent on further runs of the same.
struct SolverRun {
  std::string solver;
  NetworkRun run;                ///< of the later process, where there are two
  double totalSeconds = 0;       ///< of that process
  double coldTotalSeconds = 0;   ///< of the first process; 0: there was none
  double coldOpeningSeconds = 0; ///< PhaseSeconds::opening there: with compiling kernels
  std::string difference;        ///< from the answer of the first solver that has one; empty: none

  /// What a first process spends on compiling kernels that a later one finds on disk.
  double compilingSeconds() const;
};

struct TaskRuns {
  std::string instance, task;
  std::vector<SolverRun> runs; ///< by solver

  const SolverRun *of(const std::string &solver) const;
  bool disagrees() const;
};

inline constexpr double kAnswerTolerance = 1e-6;

/// How `found` differs from `right`, as a sentence; empty: by no more than kAnswerTolerance:
/// logarithms to base 10 relative to their size or absolute where that is under 1, posteriors
/// absolute. Runs without an answer do not differ.
std::string answerDifference(const NetworkRun &right, const NetworkRun &found);
/// Sets SolverRun::difference of all runs.
void compareAnswers(TaskRuns &runs);

/// Calls `done` after each task. A solver that fails, is refused or takes too long is a run with
/// that status. Throws Error(Usage) when there is no instance of the names asked for.
std::vector<TaskRuns> runCampaign(const NetworkBenchOptions &options,
                                  const std::function<void(const TaskRuns &)> &done);

} // namespace mpf::bench
