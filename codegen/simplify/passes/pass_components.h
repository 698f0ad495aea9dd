// INDEPENDENT PARTS of a posterior over some variables: a connected part of the network in which
// none of them is multiplies everything by the same constant, which the posterior does not show. It
// leaves if that constant is surely not zero: no entry of the part is zero or negative, and all
// values are known. (A zero would make the evidence impossible, and must be found out.)
// Pre: a joint posterior. Post: every factor that is left is connected to an asked variable, or may
// be zero.
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

bool passComponents(SimplifyState &problem);

} // namespace mpf
