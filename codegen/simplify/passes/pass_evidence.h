// Restricts the problem to the evidence: an observed variable keeps one state. Afterwards no
// variable is observed, except those in the scope of a factor that is not known.
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

/// The observed states must be final: no session changes them. True: something changed.
bool passEvidence(SimplifyState &state);

} // namespace mpf
