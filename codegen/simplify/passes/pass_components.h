// INDEPENDENT COMPONENTS of a posterior over some variables. A component of the network that
// contains none of these variables multiplies everything by one constant, which cancels in the
// posterior. It is removed if that constant cannot be zero: all its values are known, and none is
// zero or negative. (A zero would make the evidence impossible, and that must be reported.) Pre: a
// joint posterior. Post: every remaining factor is connected to an asked variable, or may be zero.
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

bool passComponents(SimplifyState &problem);

} // namespace mpf
