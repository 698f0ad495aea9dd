#include "runtime/execute/split_work.h"

#include <algorithm>
#include <tuple>

namespace mpf {

namespace {

/// Part `part` of `parts` of 0..count in multiples of `step` (the last one ends at count).
std::pair<uint64_t, uint64_t> steppedPart(uint64_t count, uint64_t step, size_t part,
                                          size_t parts) {
  const auto [begin, end] = partOf((count + step - 1) / step, part, parts);
  return {std::min(count, begin * step), std::min(count, end * step)};
}

} // namespace

size_t partCount(const CpuOperation &op, size_t threads, double termNs) {
  constexpr double kWorthSharingNs = 100'000; // waking threads costs some 10 us
  const double timeNs = op.addresses() * termNs * op.operandCount;
  return threads == 1 || timeNs < kWorthSharingNs ? 1 : 4 * threads;
}

TileParts splitTiles(const TileShape &shape, size_t parts, size_t tileRows, size_t tileColumns) {
  TileParts split;
  split.rowStep = tileRows;
  split.columnStep = tileColumns;
  split.batches = static_cast<size_t>(std::min<uint64_t>(shape.batchCount, parts));
  const size_t rest = (parts + split.batches - 1) / split.batches;
  // Cutting the longer direction repacks the shorter operand most cheaply.
  const uint64_t rowTiles = (shape.rowCount + tileRows - 1) / tileRows;
  const uint64_t columnTiles = (shape.columnCount + tileColumns - 1) / tileColumns;
  if (shape.rowCount >= shape.columnCount)
    split.rows = static_cast<size_t>(std::min<uint64_t>(rest, rowTiles));
  else
    split.columns = static_cast<size_t>(std::min<uint64_t>(rest, columnTiles));
  return split;
}

TileBox TileParts::box(const TileShape &shape, size_t part) const {
  TileBox box;
  const size_t column = part % columns, row = part / columns % rows;
  std::tie(box.batchBegin, box.batchEnd) = partOf(shape.batchCount, part / columns / rows, batches);
  std::tie(box.rowBegin, box.rowEnd) = steppedPart(shape.rowCount, rowStep, row, rows);
  std::tie(box.columnBegin, box.columnEnd) =
      steppedPart(shape.columnCount, columnStep, column, columns);
  return box;
}

} // namespace mpf
