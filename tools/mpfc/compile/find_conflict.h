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

/// Of one case whose evidence has probability zero: a set of findings, hard and soft, that has
/// probability zero already, and has not without any one of them (minimal_conflict.h). Findings
/// that are impossible alone come first where there are few. Each question is a run on the CPU that
/// sums; after three seconds, or where one is refused, the set so far is said to be so far. Nothing
/// in it: the model without evidence has no mass, the runs find the evidence possible, or the model
/// has an entry below 0, so that a sum of possible findings may be 0, too.
Conflict findConflict(const Model &model, const Options &options);

} // namespace mpf::driver
