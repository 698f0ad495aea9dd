// Which entries of a result a strip computes side by side in registers.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <cstddef>
#include <optional>
#include <span>

namespace mpf {

/// Kept digits of an operation, by their places (strip_nest.h).
struct StripTile {
  size_t row = 0;
  /// Of two messages and no shared table: a digit that the one lacks. Rows of two of its values
  /// read that message once.
  std::optional<size_t> column;
};

/// The cheapest among `digits`, which are not empty and whose order costs nothing: by loads of each
/// multiply-add and addresses of each row. The last ones are preferred. Deterministic.
StripTile stripTile(const LaneOperation &operation, std::span<const size_t> digits);

} // namespace mpf
