// Removes singletons: variables in the scope of a single factor that the query reduces over and
// does not ask for.
//
// - barren: reducing the variable gives the same constant everywhere, as in a conditional table
//   whose child is not observed (Baker and Boult 1990). This is checked, not assumed: the factor
//   stays if the sums of its rows differ by more than rounding. Otherwise the factor leaves, and
//   the constant goes into the scale. Factors of at most 2^22 entries.
// - leaves: any singleton. It is reduced out of its factor. Factors of at most 2^14 entries:
//   larger ones are reduced faster when the plan runs.
//
// Best assignments record the factor, from which the state is chosen afterwards.
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

/// Both passes refuse queries that ask for all posteriors, and return whether something changed.
bool passBarren(SimplifyState &state);
bool passLeaves(SimplifyState &state);

} // namespace mpf
