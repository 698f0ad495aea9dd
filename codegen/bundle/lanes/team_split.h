// How the table-driven kernels of teams take the entries of a product: in tiles, as a matrix
// product does.
//
// The operands are divided into two sides. A *left* digit of the result moves operands of the left
// side alone, a *right* digit those of the right side alone, the *rest* moves both. For fixed rest,
// the results are an outer product over terms: result(l, r) = sum over t of left(l, t) * right(r,
// t). A warp computes a tile of kTeamTile left by kTeamTile right values at a time, in registers;
// so an entry is loaded once for all results of the tile that need it, where an entry at a time
// would load every operand for every term.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Values of the left digits, and of the right ones, that a tile has; one where there is one.
inline constexpr uint64_t kTeamTile = 4;

struct TeamSplit {
  std::vector<size_t> leftOperands, rightOperands; ///< the left side has one at least
  std::vector<size_t> left, right, rest;           ///< kept digits, most significant first
  uint64_t leftCount = 1, rightCount = 1, restCount = 1;

  uint64_t tiles() const {
    return (leftCount + kTeamTile - 1) / kTeamTile * ((rightCount + kTeamTile - 1) / kTeamTile) *
           restCount;
  }
  /// Entries that a tile loads for a term; the last tiles of a digit some of them twice.
  double tileLoads() const {
    return static_cast<double>(kTeamTile * leftOperands.size() +
                               (rightCount == 1 ? 1 : kTeamTile) * rightOperands.size());
  }
};

/// The division whose tiles issue the fewest instructions. Deterministic.
TeamSplit splitTeamOperation(const LaneOperation &operation);

/// About what a warp issues for a tile of the operation.
double teamTileInstructions(const LaneOperation &operation, const TeamSplit &split);

} // namespace mpf
