// The postsolve map must fit the bundle: every state and axis that restoring an answer touches
// exists.
#pragma once

#include "codegen/bundle/bundle.h"

namespace mpf {

/// Throws Error(BadInput) with the broken rule. Does nothing for a bundle without a postsolve map.
void verifyAnswer(const Bundle &bundle);

} // namespace mpf
