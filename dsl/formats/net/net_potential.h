// `potential (child | parents) { data = (...); }` -> Factor.
#pragma once

#include "dsl/formats/network/block_context.h"

namespace mpf {

/// Reads one potential, whose first word was taken before, and adds its factor to the network.
/// Returns false after reporting an error.
bool readNetPotential(BlockContext &context);

/// Skips the value of the attribute `name` and the `;` behind it. Returns false after reporting
/// that there is none.
bool skipNetValue(BlockContext &context, const BlockToken &name);

} // namespace mpf
