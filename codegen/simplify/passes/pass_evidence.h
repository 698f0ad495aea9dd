// Restricts the problem to the evidence: an observed variable keeps one state. Afterwards no
// variable is observed, except those in the scope of a factor that is not known.
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

/// Requires that no session changes the observed states. Returns whether something changed.
bool passEvidence(SimplifyState &state);

} // namespace mpf
