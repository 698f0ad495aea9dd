// Removes constants. Variables of one state leave every scope. Factors without variables go into
// the scale (a zero makes the problem impossible), as far as they fit. Variables in no factor leave
// if the query reduces over them and does not ask for their posterior; where it sums, the scale is
// multiplied by their number of states.
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

/// Returns whether something changed.
bool passConstants(SimplifyState &state);

} // namespace mpf
