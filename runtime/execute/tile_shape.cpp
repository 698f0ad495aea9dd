// The best split of an operation's operands into the two groups of a matrix product.
#include "runtime/execute/cpu_operation.h"

#include <cmath>

namespace mpf {

namespace {

// Nanoseconds per element on a present-day core, only their ratios matter.
constexpr double kPackNs = 0.8;    ///< load one entry of one operand while packing
constexpr double kRowLoadNs = 0.3; ///< the same along a row of the row path
constexpr double kRowStepNs = 0.2; ///< reduce one product into an accumulator of the row path
constexpr double kBatchNs = 150;   ///< start one matrix product
constexpr double kTileNs = 60;     ///< start and end one register tile
constexpr double kStoreNs = 0.4;   ///< write one result entry beside its neighbour
constexpr double kScatterNs = 2;   ///< write one result entry on its own

double rowTimeNs(const CpuOperation &op) {
  double perTerm = kRowStepNs;
  for (size_t s = 0; s < op.operandCount; ++s)
    if (op.rows->slots[s].everyTerm && op.rows->slots[s].access != RowAccess::Constant)
      perTerm +=
          op.rows->slots[s].access == RowAccess::Contiguous ? kRowLoadNs / 2 : 2 * kRowLoadNs;
  // Short rows pay the calls: about 20 ns each.
  return op.addresses() * (perTerm + 20.0 / static_cast<double>(op.rows->rowElems));
}

TileShape splitBy(const CpuOperation &op, unsigned groupA) {
  TileShape shape;
  for (size_t s = 0; s < op.operandCount; ++s)
    shape.inA[s] = (groupA >> s & 1) != 0;
  for (const LoopDigit &digit : op.kept) {
    bool a = false, b = false;
    for (size_t s = 0; s < op.operandCount; ++s)
      if (digit.strides[s] != 0)
        (shape.inA[s] ? a : b) = true;
    (a == b ? shape.batch : a ? shape.rows : shape.columns).push_back(digit);
  }
  shape.depth = op.reduced;
  shape.batchCount = addressCount(shape.batch);
  shape.rowCount = addressCount(shape.rows);
  shape.columnCount = addressCount(shape.columns);
  shape.depthCount = addressCount(shape.depth);
  return shape;
}

double tileTimeNs(const TileShape &shape, const CpuOperation &op, size_t tileRows,
                  size_t tileColumns) {
  const auto batch = static_cast<double>(shape.batchCount);
  const auto rows = static_cast<double>(shape.rowCount);
  const auto columns = static_cast<double>(shape.columnCount);
  const auto depth = static_cast<double>(shape.depthCount);
  double operandsA = 0, operandsB = 0;
  for (size_t s = 0; s < op.operandCount; ++s)
    (shape.inA[s] ? operandsA : operandsB) += 1;
  // One row of a tile, two vectors wide, takes a cycle per k: 0.3 ns.
  constexpr double kStepNs = 0.3;
  const double tiles = std::ceil(rows / static_cast<double>(tileRows)) *
                       std::ceil(columns / static_cast<double>(tileColumns));
  const bool contiguous = shape.columns.back().strides[op.operandCount] == 1;
  return batch * (kBatchNs + tiles * (kTileNs + static_cast<double>(tileRows) * depth * kStepNs) +
                  depth * kPackNs * (rows * operandsA + columns * operandsB) +
                  rows * columns * (contiguous ? kStoreNs : kScatterNs));
}

} // namespace

std::optional<TileShape> buildTileShape(const CpuOperation &op, size_t tileRows,
                                        size_t tileColumns) {
  if (op.operandCount < 2 || op.reduced.empty())
    return std::nullopt;
  double bestNs = rowTimeNs(op);
  std::optional<TileShape> best;
  // Both orders of every split: the group of the columns decides whether results are contiguous.
  const unsigned groups = 1U << op.operandCount;
  for (unsigned groupA = 1; groupA + 1 < groups; ++groupA) {
    TileShape shape = splitBy(op, groupA);
    if (shape.rowCount < 2 || shape.columnCount < 2)
      continue;
    const double timeNs = tileTimeNs(shape, op, tileRows, tileColumns);
    if (timeNs < bestNs) {
      bestNs = timeNs;
      best = std::move(shape);
    }
  }
  return best;
}

} // namespace mpf
