// How a warp computes entries of an operation: a *tile* of entries of the result at a time, which
// stay in registers while it runs over the terms. An entry of an operand is loaded once for all
// entries of the tile that need it.
//
// The tile is a register tile as in the outer-product form of a matrix product, with as many
// dimensions as the operation has kept digits; a digit may be cut into a part within the tile and a
// part that numbers tiles. Digits that a later pass reduces are in the tile as a whole.
#pragma once

#include "codegen/emit/lanes/teams/team_operation.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mpf {

struct TeamTile {
  /// With digits merged where no table tells them apart, and cut.
  TeamOperation operation;
  std::vector<size_t> outer; ///< kept digits that number the tiles, most significant first
  std::vector<size_t> inner; ///< kept digits of a tile, most significant first
  std::vector<size_t> terms; ///< digits that the first pass reduces, outermost loop first
  /// What the tile was chosen by, of all tiles: cycles of a multiprocessor, about.
  double cycles = 0;

  uint64_t tiles() const { return product(outer); }
  uint64_t entries() const { return product(inner); } ///< of a tile, in the first pass
  uint64_t termCount() const { return product(terms); }
  uint64_t product(const std::vector<size_t> &digits) const;

  /// The digits among `digits` that move slot `slot`.
  std::vector<size_t> movedBy(size_t slot, const std::vector<size_t> &digits) const;
  /// The digits of a tile that pass p still has: what earlier ones did not reduce.
  std::vector<size_t> innerOf(size_t pass) const;
};

/// By slot of the operation: whether it is a table that all cases share. Such entries are loaded
/// several at a time.
using SharedOperands = std::vector<char>;
SharedOperands sharedOperands(const LaneProgram &program, const TeamOperation &operation);

/// The tile that takes a multiprocessor the least time; nothing when none fits registers.
/// `whole`: the tile is all of the result. Deterministic.
std::optional<TeamTile> chooseTeamTile(const TeamOperation &operation, const SharedOperands &shared,
                                       ElementType type, bool whole = false);

} // namespace mpf
