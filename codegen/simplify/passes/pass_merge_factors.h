// Merges factors: a factor whose scope is contained in that of another one, or equal to it, is
// multiplied into the other. Factors stay apart if the product would leave the range of doubles, or
// if a whole number might be rounded (table_arithmetic.h). Tables of more than 2^22 entries are not
// merged, because the run multiplies them faster.
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

/// Returns whether something changed.
bool passMergeFactors(SimplifyState &state);

} // namespace mpf
