// Restores the names of a Model that was read, as its builder knew them, for texts about it.
#pragma once

#include "dsl/model/resolve/build_context.h"

namespace mpf {

/// Declares in `context`, which is new, what `context.model` has: its variables as scalars and
/// index arrays, its params, and its factors except the likelihoods of its evidence. An array's
/// elements are also declared by their whole names (`x[3]` in backquotes). Names of domains are
/// lost. Time: linear in the model.
void declareModel(BuildContext &context);

} // namespace mpf
