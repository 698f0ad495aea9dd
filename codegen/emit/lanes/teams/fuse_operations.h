// Chooses the operations of a lane program that a warp does in one go (team_operation.h): chains in
// which only the next operation reads each message. Two chains become one if one tile of both is
// predicted to take no longer than two tiles. The largest messages are tried first.
#pragma once

#include "codegen/emit/lanes/teams/team_tile.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct FusedOperation {
  uint32_t step = 0; ///< the last operation's step of the program
  TeamTile tile;
};

/// Returns the fused operations in the order of the steps. `rescaled` (LinearPlan), by table, marks
/// messages that must be stored. Deterministic.
std::vector<FusedOperation> fuseOperations(const LaneProgram &program,
                                           const std::vector<char> &rescaled, ElementType type);

} // namespace mpf
