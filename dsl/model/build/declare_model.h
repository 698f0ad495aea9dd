// The names of a Model that was read, as its builder knew them: for texts that speak of it later.
#pragma once

#include "dsl/model/resolve/build_context.h"

namespace mpf {

/// Declares in `context`, which is new, what `context.model` has: its variables as scalars and
/// index arrays, its params, and its factors except the likelihoods of its evidence. An array's
/// elements are known by their whole names too (`x[3]` in backquotes). Names of domains are lost.
/// Time: linear in the model.
void declareModel(BuildContext &context);

} // namespace mpf
