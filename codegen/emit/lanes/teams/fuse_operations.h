// Which operations of a lane program a warp does in one go (team_operation.h): chains in which each
// message is read by the next operation alone. Two chains become one where a tile of both is
// predicted to take no longer than two; the largest messages come first.
#pragma once

#include "codegen/emit/lanes/teams/team_tile.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct FusedOperation {
  uint32_t step = 0; ///< of the program: the last operation
  TeamTile tile;
};

/// `rescaled`: by table (LinearPlan), messages that must be stored. In the order of the steps.
/// Deterministic.
std::vector<FusedOperation> fuseOperations(const LaneProgram &program,
                                           const std::vector<char> &rescaled, ElementType type);

} // namespace mpf
