// Chooses the entries of a result that a strip computes side by side in registers.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <cstddef>
#include <optional>
#include <span>

namespace mpf {

/// Kept digits of an operation, as indices (strip_nest.h).
struct StripTile {
  size_t row = 0;
  /// A digit that one of two messages lacks, if no table is shared. The rows of two of its values
  /// read that message once.
  std::optional<size_t> column;
};

/// Returns the cheapest tile of `digits`, which are not empty and whose order does not matter for
/// the caches. Its price counts the loads of each multiply-add and the addresses of each row. Later
/// digits are preferred. Deterministic.
StripTile stripTile(const LaneOperation &operation, std::span<const size_t> digits);

} // namespace mpf
