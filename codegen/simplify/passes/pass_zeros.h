// ZERO PROPAGATION: a state whose every entry in some factor is zero leaves its domain; repeated to
// the fixpoint, within a bound on the work (support_propagation.h). Pre: the semiring has a zero.
// This is arc consistency (Dechter, "Constraint Processing" 2003, section 3.5). Networks of genetic
// linkage shrink by orders of magnitude (Lange and Goradia 1987, "genotype elimination").
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

bool passZeros(SimplifyState &problem);

} // namespace mpf
