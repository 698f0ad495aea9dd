// CONTAINED FACTORS: a factor whose scope is part of another's is multiplied into it; so is a
// factor that stands there twice. Left alone where the product would leave the range of doubles.
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

bool passMergeFactors(SimplifyState &problem);

} // namespace mpf
