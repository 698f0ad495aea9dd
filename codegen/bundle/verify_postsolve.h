// The postsolve map must fit the bundle: every state and axis that restoring an answer touches
// exists.
#pragma once

#include "codegen/bundle/bundle.h"

namespace mpf {

/// Error(BadInput) naming what is wrong. Does nothing for a bundle without an postsolve map.
void verifyAnswer(const Bundle &bundle);

} // namespace mpf
