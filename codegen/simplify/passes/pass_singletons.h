// PRIVATE VARIABLES: those in the scope of a single factor, which nothing asks for.
//
// - barren: reduced out of the factor, they leave the same constant everywhere: a conditional table
//   whose child nobody observed (Baker and Boult 1990). The constant is checked, not assumed: rows
//   whose sums differ by more than rounding keep the factor.
// - leaves: any other; its factor is replaced by what is left of it. Bounded to small factors: big
//   ones are reduced faster when the plan runs.
//
// Best assignments record the factor, from which the state is chosen afterwards.
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

bool passBarren(SimplifyState &problem);
bool passLeaves(SimplifyState &problem);

} // namespace mpf
