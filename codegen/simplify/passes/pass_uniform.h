// UNIFORM FACTORS: a factor whose entries do not depend on a variable loses it from its scope; one
// that depends on none is a constant.
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

bool passUniform(SimplifyState &problem);

} // namespace mpf
