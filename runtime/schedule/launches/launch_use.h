// Finds which parts of the work arena a launch reads and writes: the operands and results of its
// operations.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launches/launch_plan.h"
#include "runtime/schedule/launches/launch_window.h"

namespace mpf {

/// Returns whole buffers, also for a sliced program. Inputs are left out: they are in another
/// arena, which no launch writes. For a chain: the tables that its one kernel accesses
/// (chain_tables.h). The plan must have the launch's mapping vector.
LaunchUse useOf(const Bundle &bundle, const LaunchPlan &plan, const Launch &launch);

/// The operations of a mapping vector, ascending.
std::vector<uint32_t> operationsOf(const LevelMapping &mapping);

/// The operations that a launch of the plan computes, ascending.
std::vector<uint32_t> operationsOf(const LaunchPlan &plan, const Launch &launch);

/// Whether a level leaves the result in logarithms, if it computes it so: it is too large to be
/// brought back by the block that ends last.
bool leavesLogs(const Bundle &bundle, uint32_t operation);

/// The chain that starts at operation `operation`, or null.
const BundleChain *chainAt(const Bundle &bundle, uint32_t operation);

} // namespace mpf
