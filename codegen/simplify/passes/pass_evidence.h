// EVIDENCE RESTRICTION: an observed variable keeps one state. Pre: the states are final (no session
// changes them). Post: no variable is observed, except those in the scope of an `input` factor.
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

bool passEvidence(SimplifyState &problem);

} // namespace mpf
