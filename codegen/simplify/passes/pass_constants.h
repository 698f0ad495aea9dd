// CONSTANTS: variables of one state leave every scope; factors without variables go into the scale
// (a zero makes the problem impossible); variables in no factor leave, multiplied by their number
// of states where the query sums over them.
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

bool passConstants(SimplifyState &problem);

} // namespace mpf
