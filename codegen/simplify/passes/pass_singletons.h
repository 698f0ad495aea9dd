// PRIVATE VARIABLES: variables in the scope of a single factor that the query does not ask for.
//
// - barren: reducing the variable gives the same constant everywhere, as in a conditional table
//   whose child is not observed (Baker and Boult 1990). This is checked, not assumed: the factor
//   stays if the sums of its rows differ by more than rounding.
// - leaves: any other private variable. It is reduced out of its factor. Only in small factors:
//   large ones are reduced faster when the plan runs.
//
// Best assignments record the factor, from which the state is chosen afterwards.
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

bool passBarren(SimplifyState &problem);
bool passLeaves(SimplifyState &problem);

} // namespace mpf
