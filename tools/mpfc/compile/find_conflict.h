// Evidence of probability zero: which findings cannot hold together.
#pragma once

#include "dsl/model/model.h"
#include "tools/mpfc/options/options.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf::driver {

struct Conflict {
  std::vector<std::string> variables; ///< names, in the model's order
  std::string message;                ///< one sentence that names findings and their places
};

/// The search takes not much more time and memory than the runs whose answer it explains.
struct ConflictBounds {
  double seconds = 0;
  uint64_t bytes = 0; ///< of the tables of one trial

  /// Returns the bounds for runs that were predicted to take this time and memory: the same, but at
  /// least half a second and 64 MiB, and at most three seconds.
  static ConflictBounds ofRuns(double seconds, uint64_t bytes);
};

/// Finds a minimal set of findings, hard and soft, of one case whose evidence has probability zero.
/// Without any one of them the probability is not zero (minimal_conflict.h). If there are few
/// findings, each is first tried alone. Each trial is a run on the CPU that sums, within the bounds
/// and the limits of the options (own_runs.h). No plan is made after the time is over, and no run
/// begins that is predicted to take more than half of the time left: predictions may be too short.
/// If a trial has no answer, the message says that the search gave up. The conflict is empty if the
/// runs find the evidence possible. It is also empty if the model has an entry below 0: possible
/// findings may then sum to 0.
Conflict findConflict(const Model &model, const Options &options, const ConflictBounds &bounds);

} // namespace mpf::driver
