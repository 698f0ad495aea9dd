// Divides the entries of a product into tiles for the table-driven kernels of teams, as a matrix
// product does.
//
// The operands are divided into two sides. A *left* digit of the result moves operands of the left
// side alone, a *right* digit moves those of the right side alone, the *rest* moves both. For fixed
// rest, the results are an outer product over terms: result(l, r) = sum over t of left(l, t) *
// right(r, t).
//
// A warp computes a tile of kTeamTile left by kTeamTile right values at a time, in registers. So an
// entry is loaded once for all results of the tile that need it. Without tiles every operand would
// be loaded for every term of every result.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// The number of values of the left digits, and of the right digits, in a tile; one if the digits
/// have one value.
inline constexpr uint64_t kTeamTile = 4;

struct TeamSplit {
  std::vector<size_t> leftOperands, rightOperands; ///< the left side has at least one
  std::vector<size_t> left, right, rest;           ///< kept digits, most significant first
  uint64_t leftCount = 1, rightCount = 1, restCount = 1;

  uint64_t tiles() const {
    return (leftCount + kTeamTile - 1) / kTeamTile * ((rightCount + kTeamTile - 1) / kTeamTile) *
           restCount;
  }
  /// Returns the number of entries that a tile loads for a term. The last tiles of a digit load
  /// some of them twice.
  double tileLoads() const {
    return static_cast<double>(kTeamTile * leftOperands.size() +
                               (rightCount == 1 ? 1 : kTeamTile) * rightOperands.size());
  }
};

/// Returns the division whose tiles issue the fewest instructions. Deterministic.
TeamSplit splitTeamOperation(const LaneOperation &operation);

/// Returns the predicted number of instructions that a warp issues for a tile of the operation.
double teamTileInstructions(const LaneOperation &operation, const TeamSplit &split);

} // namespace mpf
