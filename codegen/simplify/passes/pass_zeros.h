// Propagates zeros: a state all of whose entries in some factor are zero leaves its domain. This is
// repeated until nothing changes, within a bound on the work (support_propagation.h). It is arc
// consistency (Dechter, "Constraint Processing" 2003, section 3.5). Networks of genetic linkage
// shrink by orders of magnitude (Lange and Goradia 1987, "genotype elimination").
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

/// Requires a semiring with a zero. Returns whether something changed.
bool passZeros(SimplifyState &state);

} // namespace mpf
