// `probability ( child | parents ) { ... }` -> Factor.
#pragma once

#include "dsl/formats/bif/bif_context.h"

namespace mpf {

/// Reads one block, whose word `probability` was taken before, and adds its factor to the network.
/// Returns false after reporting an error.
bool readBifProbability(BifContext &context);

} // namespace mpf
