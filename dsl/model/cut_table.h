// do(x = s): an intervention sets x from outside, whatever its parents are (Pearl 2000
// section 3.2).
#pragma once

#include "dsl/model/model.h"

namespace mpf {

/// Cuts the conditional table `table` off its parents: its child is in `state` with certainty. Of a
/// noisy-max (noisy_max.h) `table` is the last factor. Factors keep their numbers and names. The
/// caller observes the child in that state.
void cutTable(Model &model, FactorId table, uint32_t state);

} // namespace mpf
