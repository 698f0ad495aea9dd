// Inlines products: if a message is a plain product without sums, and only one operation reads it,
// that operation reads the product's operands instead. The message then takes neither memory nor a
// stage. This is done if the operation's tile is predicted to take no longer than both tiles.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <vector>

namespace mpf {

/// Returns the program with products inlined. `rescaled` (LinearPlan), by table, marks messages
/// that must be stored. All tables keep their numbers; some are no longer written.
LaneProgram inlineProducts(const LaneProgram &program, const std::vector<char> &rescaled,
                           ElementType type);

} // namespace mpf
