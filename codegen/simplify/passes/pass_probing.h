// PROBING (failed literals; Freeman 1995): a state that, assumed, empties some domain by support
// propagation has weight zero in every assignment and leaves. This sees what no factor alone does.
// Bounded by the entries looked at; for models of many zeros.
// Pre: the semiring has a zero; zero propagation has run. Post: a subset of the states.
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

bool passProbing(SimplifyState &problem);

} // namespace mpf
