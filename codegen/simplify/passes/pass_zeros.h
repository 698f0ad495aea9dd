// ZERO PROPAGATION: a state whose every entry in some factor is zero leaves its domain; repeated to
// the fixpoint, within a bound on the work (support_propagation.h). Pre: the semiring has a zero.
// Linkage networks shrink by orders of magnitude (Becker and Geiger 1996; arc consistency: Dechter,
// "Constraint Processing" 2003, section 3.5).
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

bool passZeros(SimplifyState &problem);

} // namespace mpf
