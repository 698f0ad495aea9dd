// Removes states by probing (failed literals; Freeman 1995): if support propagation empties some
// domain when a state is assumed, every assignment with this state has value zero, and the state
// leaves. This finds contradictions that no factor alone shows. Entries of factors that contradict
// an assumption become zeros (implied_zeros.h). Probes only if at least a quarter of all entries
// are zeros, and looks at a bounded number of entries.
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

/// Requires a semiring with a zero. Returns whether something changed.
bool passProbing(SimplifyState &state);

} // namespace mpf
