// Cutting one operation's results into parts for the threads. Sums are never cut: every result is
// computed by one thread in the same order, whatever the number of parts.
#pragma once

#include "runtime/execute/cpu_run.h"

#include <algorithm>
#include <utility>

namespace mpf {

/// One operand of one term, in nanoseconds.
inline constexpr double kLinearTermNs = 0.5, kLogTermNs = 3, kWholeTermNs = 2;

/// Parts worth making for `threads` threads: 1 when the operation is too short to share.
size_t partCount(const CpuOperation &operation, size_t threads, double termNs);

/// Part `part` of `parts` of 0..count: [first, second).
inline std::pair<uint64_t, uint64_t> partOf(uint64_t count, size_t part, size_t parts) {
  const uint64_t each = count / parts, extra = count % parts;
  const auto begin = [&](uint64_t p) { return p * each + std::min<uint64_t>(p, extra); };
  return {begin(part), begin(part + 1)};
}

/// Boxes that cover the tile shape's results, about `parts` of them; whole register tiles.
struct TileParts {
  size_t batches = 1, rows = 1, columns = 1;
  uint64_t rowStep = 1, columnStep = 1; ///< a part is a multiple of them

  size_t count() const { return batches * rows * columns; }
  TileBox box(const TileShape &shape, size_t part) const;
};
TileParts splitTiles(const TileShape &shape, size_t parts, size_t tileRows, size_t tileColumns);

} // namespace mpf
