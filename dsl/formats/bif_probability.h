// `probability ( child | parents ) { ... }` -> Factor.
#pragma once

#include "dsl/formats/bif_context.h"

namespace mpf {

/// Reads one block and adds its factor to the network. The word `probability` was taken; the block
/// is taken. False after reporting an error.
bool readBifProbability(BifContext &context);

} // namespace mpf
