// Finds which parts of the work arena a launch reads and writes: the operands and results of its
// operations.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launch_plan.h"
#include "runtime/schedule/launch_window.h"

namespace mpf {

/// Returns whole buffers, also for a sliced program. Inputs are left out: they are in another
/// arena, which no launch writes. For a chain: the tables that its one kernel accesses
/// (chain_tables.h).
LaunchUse useOf(const Bundle &bundle, const Launch &launch);

/// The chain that starts at operation `operation`, or null.
const BundleChain *chainAt(const Bundle &bundle, uint32_t operation);

} // namespace mpf
