// Finds which parts of the work arena a launch reads and writes: the operands and results of its
// operations.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launches/launch_plan.h"
#include "runtime/schedule/launches/launch_window.h"

namespace mpf {

/// Returns the parts of the work arena that a launch uses: whole buffers, in sliced programs too.
/// Inputs are left out: they are in another arena, which no launch writes. A chain uses the tables
/// that its kernel accesses (chain_tables.h). The plan must have the launch's mapping vector.
LaunchUse useOf(const Bundle &bundle, const LaunchPlan &plan, const Launch &launch);

/// Returns the operations of a mapping vector, ascending.
std::vector<uint32_t> operationsOf(const LevelMapping &mapping);

/// Returns the operations that a launch of the plan computes, ascending.
std::vector<uint32_t> operationsOf(const LaunchPlan &plan, const Launch &launch);

/// Whether a level that computes the operation in logarithms leaves its result so: the last block
/// cannot normalise a result this large.
bool leavesLogs(const Bundle &bundle, uint32_t operation);

/// Returns the chain that starts at operation `operation`, or null.
const BundleChain *chainAt(const Bundle &bundle, uint32_t operation);

} // namespace mpf
