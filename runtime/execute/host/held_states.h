// The states of held variables (codegen/bundle/held_variables.h): a result has a part for each.
#pragma once

#include "codegen/bundle/held_variables.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// `given`, one state per variable, once for each state of the held variables, one behind the other
/// in the order of the result. Without held variables: `given`.
std::vector<uint32_t> startsFrom(const Bundle &bundle, std::vector<uint32_t> given);

} // namespace mpf
