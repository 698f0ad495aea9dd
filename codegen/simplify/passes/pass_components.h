// Removes components that a posterior over some variables does not depend on. A component that has
// none of these variables multiplies everything by one constant, which cancels in the posterior. It
// is removed if that constant cannot be zero: all its values are known, none is zero or negative,
// and no session may change an observed state in it. (A zero would make the evidence impossible,
// and that must be reported.)
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

/// Requires a query for a joint posterior. Returns whether something changed.
bool passComponents(SimplifyState &state);

} // namespace mpf
