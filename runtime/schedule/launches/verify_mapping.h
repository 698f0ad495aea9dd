// Checks the mapping vectors of levels and the order of a launch plan's operations: the parts of
// verify_launch_plan.h that levels need.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launches/launch_plan.h"

#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// The launches of an operation.
struct LaunchSpan {
  size_t first = 0, last = 0;
  std::optional<size_t> chain; ///< an earlier launch of a chain, which may replace them
};

/// Returns the first fault in one sentence, or an empty string:
/// - Every block and step has tasks. A warp computes a whole operation; at most kLevelWarps share a
///   step.
/// - The tasks of an operation cover every term of every result once, in one phase. They are one
///   task, or blocks with different outputs and all terms, or with all outputs and different terms.
/// - Waits for other blocks end: phases ascend in every block, and some block has steps of each.
///   The device holds all blocks of a launch with several phases at once (`residentBlocks`).
std::string findFault(const LevelMapping &mapping, const Bundle &bundle, uint64_t residentBlocks);

/// Returns the first fault of the order of operations, or an empty string. `runs`: see arenaOrder;
/// `spans`: the launches of each operation, if it has some.
/// - An operation starts when those that must come before it (arena_order.h) have ended. They are
///   in an earlier launch, in an earlier phase, or before a barrier of the same block, which
///   computed all of them.
/// - The stretches (operation_levels.h) are in the bundle's order; no launch has operations of two.
std::string findOrderFault(const LaunchPlan &plan, const Bundle &bundle,
                           const std::vector<char> &runs,
                           const std::vector<std::optional<LaunchSpan>> &spans);

} // namespace mpf
