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

/// One case has evidence of probability zero: finds a set of findings, hard and soft, that has
/// probability zero already, and has not without any one of them (minimal_conflict.h). Findings
/// that are impossible alone come first where there are few. Each question is a run on the CPU that
/// sums, within the limits of the options (own_runs.h). All plans end within three seconds, and no
/// run begins that is predicted to end later. Where a question stays open, the message says that
/// the search gave up. The conflict is empty where the runs find the evidence possible, and where
/// the model has an entry below 0, so that a sum of possible findings may be 0, too.
Conflict findConflict(const Model &model, const Options &options);

} // namespace mpf::driver
