// Products that are formed where they are needed: a message that is a plain product, without sums,
// and that one operation reads becomes that product's operands there, where the tile of the
// operation is predicted to take no longer than both. So it takes neither memory nor a stage.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <vector>

namespace mpf {

/// `rescaled`: by table (LinearPlan), messages that must be stored. The tables stay, with their
/// numbers; some are no longer written.
LaneProgram inlineProducts(const LaneProgram &program, const std::vector<char> &rescaled,
                           ElementType type);

} // namespace mpf
