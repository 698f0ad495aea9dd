// Merges factors: a factor whose scope is contained in that of another one, or equal to it, is
// multiplied into the other. Not where the product would leave the range of doubles or a whole
// number might be rounded (table_arithmetic.h), nor into tables of more than 2^22 entries, which
// are multiplied faster in the run.
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

/// True: something changed.
bool passMergeFactors(SimplifyState &state);

} // namespace mpf
