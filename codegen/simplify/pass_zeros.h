// ZERO PROPAGATION: a state whose every entry in some factor is zero leaves its domain; repeated to
// the fixpoint (support_propagation.h). Pre: the semiring has a zero. Linkage and CSP networks
// shrink by orders of magnitude (peers.md, finding 4).
#pragma once

#include "codegen/simplify/problem.h"

namespace mpf {

bool passZeros(Problem &problem);

} // namespace mpf
