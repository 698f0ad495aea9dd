// `probability ( child | parents ) { ... }` -> Factor.
#pragma once

#include "dsl/formats/bif_context.h"

namespace mpf {

/// Reads one block into the network. The lexer stands behind the word `probability`, and behind the
/// block afterwards. Reports.
bool readBifProbability(BifContext &context);

} // namespace mpf
