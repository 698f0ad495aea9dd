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
  std::optional<size_t> chain; ///< an earlier one that may do it in their place
};

/// Returns the first fault in one sentence, or an empty string:
/// - Every block and step has tasks. A warp does all of an operation; at most kLevelWarps share a
///   step.
/// - The tasks of an operation cover every term of every result once: one task, or blocks with
///   different outputs and all terms, or with all outputs and different terms. All are of one
///   phase.
/// - Waits for other blocks end: phases ascend in every block, some block has steps of each, and
/// the
///   device holds all blocks of a launch with several of them at once (`residentBlocks`).
std::string findFault(const LevelMapping &mapping, const Bundle &bundle, uint64_t residentBlocks);

/// The same for the order of the operations. `runs` as in arenaOrder; `spans`: by operation, of
/// those that launches compute.
/// - An operation starts when those that it must come behind (arena_order.h) have ended: in an
///   earlier launch, in an earlier phase, or behind a barrier of the same block, which did all of
///   the earlier one.
/// - The stretches (operation_levels.h) are in the bundle's order; no launch has operations of two.
std::string findOrderFault(const LaunchPlan &plan, const Bundle &bundle,
                           const std::vector<char> &runs,
                           const std::vector<std::optional<LaunchSpan>> &spans);

} // namespace mpf
