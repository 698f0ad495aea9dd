// A warp computes a *tile* of an operation's result at a time. The entries of the tile stay in
// registers while the warp runs over the terms. An entry of an operand is loaded once for all
// entries of the tile that need it.
//
// The tile is a register tile as in the outer-product form of a matrix product, but with one
// dimension for each kept digit of the operation. A digit may be cut into a part within the tile
// and a part that numbers tiles. Digits that a later pass reduces are in the tile as a whole.
#pragma once

#include "codegen/emit/lanes/teams/team_operation.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mpf {

struct TeamTile {
  /// The operation, with its digits cut, and merged if they move all tables alike.
  TeamOperation operation;
  std::vector<size_t> outer; ///< kept digits that number the tiles, most significant first
  std::vector<size_t> inner; ///< kept digits of a tile, most significant first
  std::vector<size_t> terms; ///< digits that the first pass reduces, outermost loop first
  /// Predicted cycles of a multiprocessor for all tiles. The tile was chosen to minimise them.
  double cycles = 0;

  uint64_t tiles() const { return product(outer); }
  uint64_t entries() const { return product(inner); } ///< entries of a tile in the first pass
  uint64_t termCount() const { return product(terms); }
  uint64_t product(const std::vector<size_t> &digits) const;

  /// The digits among `digits` that move slot `slot`.
  std::vector<size_t> movedBy(size_t slot, const std::vector<size_t> &digits) const;
  /// The digits of a tile that earlier passes than `pass` did not reduce.
  std::vector<size_t> innerOf(size_t pass) const;
};

/// Whether the table of a slot is shared by all cases, by slot of the operation. Entries of shared
/// tables are loaded several at a time.
using SharedOperands = std::vector<char>;
SharedOperands sharedOperands(const LaneProgram &program, const TeamOperation &operation);

/// Returns the tile that takes a multiprocessor the least time; nothing if no tile fits registers.
/// With `whole`, the tile must be the whole result. Deterministic.
std::optional<TeamTile> chooseTeamTile(const TeamOperation &operation, const SharedOperands &shared,
                                       ElementType type, bool whole = false);

} // namespace mpf
