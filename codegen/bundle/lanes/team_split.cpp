#include "codegen/bundle/lanes/team_split.h"

#include <algorithm>

namespace mpf {

namespace {

// Numbers of instructions in codegen/emit/preamble/mpf_team_products.cuh.
constexpr double kTileInstructions = 60; ///< to find a tile, and to start
constexpr double kTermInstructions = 4;  ///< for a turn of the loop over terms
constexpr double kLoadInstructions = 3;  ///< for an entry: its address, and the load
constexpr double kStoreInstructions = 3;
/// Instructions of a load for operands beyond two, whose addresses are read for each entry.
constexpr double kMoreLoadInstructions = 6;

/// Divides the operands: operand s is on the left side if bit s of `sides` is set.
TeamSplit splitBy(const LaneOperation &operation, size_t sides) {
  TeamSplit split;
  for (size_t s = 0; s < operation.operands.size(); ++s)
    ((sides >> s & 1) != 0 ? split.leftOperands : split.rightOperands).push_back(s);
  const auto moves = [&](const std::vector<size_t> &operands, size_t digit) {
    return std::ranges::any_of(
        operands, [&](size_t s) { return operation.operands[s].stridesElems[digit] != 0; });
  };
  for (size_t d = 0; d < operation.digits.size(); ++d) {
    const auto &[extent, reduced] = operation.digits[d];
    if (reduced || extent == 1)
      continue;
    if (!moves(split.rightOperands, d)) {
      split.left.push_back(d);
      split.leftCount = saturatingMul(split.leftCount, extent);
    } else if (!moves(split.leftOperands, d)) {
      split.right.push_back(d);
      split.rightCount = saturatingMul(split.rightCount, extent);
    } else {
      split.rest.push_back(d);
      split.restCount = saturatingMul(split.restCount, extent);
    }
  }
  return split;
}

} // namespace

double teamTileInstructions(const LaneOperation &operation, const TeamSplit &split) {
  const double left = kTeamTile, right = split.rightCount == 1 ? 1 : kTeamTile;
  const double load = operation.operands.size() > 2 ? kMoreLoadInstructions : kLoadInstructions;
  const double term = kTermInstructions + load * split.tileLoads() + left * right;
  return kTileInstructions + kStoreInstructions * left * right +
         term * static_cast<double>(operation.reducedAddresses());
}

TeamSplit splitTeamOperation(const LaneOperation &operation) {
  const size_t most = (size_t{1} << operation.operands.size()) - 1;
  TeamSplit best = splitBy(operation, most);
  const auto cost = [&](const TeamSplit &split) {
    return static_cast<double>(split.tiles()) * teamTileInstructions(operation, split);
  };
  for (size_t sides = 1; sides < most; ++sides)
    if (TeamSplit split = splitBy(operation, sides); cost(split) < cost(best))
      best = std::move(split);
  return best;
}

} // namespace mpf
