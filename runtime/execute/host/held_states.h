// The states of held variables (codegen/bundle/held_variables.h); a result has a part for each.
#pragma once

#include "codegen/bundle/held_variables.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Returns a copy of `given`, one state per variable, for each joint state of the held variables.
/// The copies are concatenated in the order of the result. Without held variables returns `given`.
std::vector<uint32_t> startsFrom(const Bundle &bundle, std::vector<uint32_t> given);

} // namespace mpf
