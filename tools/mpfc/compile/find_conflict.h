// Evidence of probability zero: which findings cannot hold together.
#pragma once

#include "dsl/model/model.h"
#include "tools/mpfc/options/options.h"

#include <string>
#include <vector>

namespace mpf::driver {

struct Conflict {
  std::vector<std::string> variables; ///< names, in the model's order
  std::string message;                ///< one sentence that names findings and their places
};

/// Finds a minimal set of findings, hard and soft, of one case whose evidence has probability zero.
/// Without any one of them the probability is not zero (minimal_conflict.h). If there are few
/// findings, each is first tried alone. Each trial is a run on the CPU that sums, within the limits
/// of the options (own_runs.h). All plans end within three seconds, and no run begins that is
/// predicted to end later. If a trial has no answer, the message says that the search gave up. The
/// conflict is empty if the runs find the evidence possible. It is also empty if the model has an
/// entry below 0: possible findings may then sum to 0.
Conflict findConflict(const Model &model, const Options &options);

} // namespace mpf::driver
