// What a launch reads and writes in the work arena: the operands and results of its operations.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launch_plan.h"
#include "runtime/schedule/launch_window.h"

namespace mpf {

/// Which buffers a launch reads and writes: whole buffers, in a sliced program too. Inputs are in
/// another arena and no launch writes them. For a chain: what its one kernel touches
/// (chain_tables.h).
LaunchUse useOf(const Bundle &bundle, const Launch &launch);

/// The chain that starts at an operation; null: none.
const BundleChain *chainAt(const Bundle &bundle, uint32_t operation);

} // namespace mpf
