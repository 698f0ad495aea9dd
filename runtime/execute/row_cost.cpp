#include "runtime/execute/row_cost.h"

#include "runtime/execute/row_pick.h"
#include "runtime/execute/table_cost.h"

#include <algorithm>

namespace mpf {

namespace {

// Nanoseconds for one vector of entries that are in the cache, on a present-day core.
constexpr double kReduceNs = 0.4; ///< a product into an accumulator
constexpr double kLoadNs = 0.25;  ///< neighbours
constexpr double kPickNs = 0.9;   ///< near each other
constexpr double kStrideNs = 0.3; ///< equally far apart, for each vector that they lie in
constexpr double kFinishNs = 0.6; ///< scale, record the range, store
// For one entry on its own: near the others, and each in a page of memory of its own.
constexpr double kSingleNs = 0.42, kFarNs = 1.2;
constexpr uint64_t kFarElems = 512;
// The loops of one row: of a term, of its results, and of one total.
constexpr double kTermNs = 35, kRowNs = 40, kTotalNs = 18;

/// Of one entry of a row.
double loadNs(const CpuOperation &op, size_t slot, const TileTarget &target) {
  const RowSlot &row = op.rows->slots[slot];
  const double width = static_cast<double>(target.columns) / 2;
  switch (row.access) {
  case RowAccess::Constant:
    return 0;
  case RowAccess::Contiguous:
    return kLoadNs / width;
  case RowAccess::Strided:
    return row.stride <= kPackSteps ? kStrideNs * static_cast<double>(row.stride) / width
           : row.stride < kFarElems ? kSingleNs
                                    : kFarNs;
  case RowAccess::Gathered:
    break;
  }
  std::array<uint64_t, kRowElems> offsets;
  fillOffsets(op.rows->row, slot, offsets.data());
  const bool near = areNear({offsets.data(), op.rows->rowElems}, target.pickLanes);
  return near ? kPickNs / width : kSingleNs;
}

/// Rows that are copied once for all outer addresses.
bool staysCopied(const CpuOperation &op, size_t slot) {
  return op.rows->termCount <= kCopiedTerms &&
         std::none_of(op.rows->outer.begin(), op.rows->outer.end(),
                      [slot](const LoopDigit &digit) { return digit.strides[slot] != 0; });
}

} // namespace

double rowTimeNs(const CpuOperation &op, const TileTarget &target) {
  const RowShape &shape = *op.rows;
  const double width = static_cast<double>(target.columns) / 2;
  const double addresses = op.addresses(), kept = static_cast<double>(op.keptElems);
  double perTerm = kReduceNs / width, perResult = shape.horizontal ? 0 : kFinishNs / width;
  double memoryNs = 0;
  for (size_t s = 0; s < op.slotCount(); ++s) {
    const bool result = s == op.operandCount;
    memoryNs += memoryNsPerByte(op, s, target.entryBytes) * tableElems(op, s) *
                static_cast<double>(target.entryBytes);
    if (result)
      perResult += shape.slots[s].access == RowAccess::Contiguous ? 0 : kSingleNs;
    else
      (shape.slots[s].everyTerm ? perTerm : perResult) +=
          staysCopied(op, s) ? kLoadNs / width : loadNs(op, s, target);
  }
  const double rows = static_cast<double>(shape.outerCount);
  const double terms = static_cast<double>(shape.termCount);
  const double callsNs = rows * (shape.horizontal ? kTotalNs * terms : kRowNs + kTermNs * terms);
  return std::max(addresses * perTerm + kept * perResult + callsNs, memoryNs);
}

double logRowTimeNs(const CpuOperation &op) {
  constexpr double kTermNs = 0.2, kNextNs = 0.15, kOtherNs = 0.6, kShortRowNs = 20;
  double perTerm = kTermNs + kShortRowNs / static_cast<double>(op.rows->rowElems);
  for (size_t s = 0; s < op.operandCount; ++s)
    if (const RowSlot &row = op.rows->slots[s]; row.everyTerm && row.access != RowAccess::Constant)
      perTerm += row.access == RowAccess::Contiguous ? kNextNs : kOtherNs;
  return op.addresses() * perTerm;
}

} // namespace mpf
