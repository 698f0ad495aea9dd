// Removes variables from factors that do not depend on them: a factor whose entries are the same
// for all states of a variable loses the variable from its scope. A factor that depends on no
// variable becomes a constant.
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

/// Returns whether something changed.
bool passUniform(SimplifyState &state);

} // namespace mpf
