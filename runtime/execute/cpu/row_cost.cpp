#include "runtime/execute/cpu/row_cost.h"

#include "runtime/execute/cpu/row_permute.h"
#include "runtime/execute/cpu/table_cost.h"

#include <algorithm>

namespace mpf {

namespace {

// Nanoseconds for one vector of entries in the cache, on a typical core.
constexpr double kRowReduceNs = 0.4;  ///< a product into an accumulator
constexpr double kRowLoadNs = 0.25;   ///< load neighbouring entries
constexpr double kRowPermuteNs = 0.9; ///< load entries that are close in memory
constexpr double kRowStrideNs = 0.3;  ///< load strided entries, for each vector that holds some
constexpr double kRowFinishNs = 0.6;  ///< scale, record the range, store
// Time of a single entry: near the others, or in a separate page of memory.
constexpr double kRowSingleNs = 0.42, kRowFarNs = 1.2;
constexpr uint64_t kRowFarElems = 512;
// Overhead of the loops of one row: a term, its results, one total.
constexpr double kRowTermNs = 35, kRowResultNs = 40, kRowTotalNs = 18;

/// Returns the time to load one entry of a row.
double rowLoadNs(const CpuOperation &op, size_t slot, const TileTarget &target) {
  const RowSlot &row = op.rows->slots[slot];
  const double width = static_cast<double>(target.columns) / 2;
  switch (row.access) {
  case RowAccess::Constant:
    return 0;
  case RowAccess::Contiguous:
    return kRowLoadNs / width;
  case RowAccess::Strided:
    return row.stride <= kPackSteps    ? kRowStrideNs * static_cast<double>(row.stride) / width
           : row.stride < kRowFarElems ? kRowSingleNs
                                       : kRowFarNs;
  case RowAccess::Gathered:
    break;
  }
  std::array<uint64_t, kRowElems> offsets;
  fillOffsets(op.rows->row, slot, offsets.data());
  const bool near = areNear({offsets.data(), op.rows->rowElems}, target.pickLanes);
  return near ? kRowPermuteNs / width : kRowSingleNs;
}

/// True if the slot's rows are copied once for all outer addresses.
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
  double perTerm = kRowReduceNs / width, perResult = shape.horizontal ? 0 : kRowFinishNs / width;
  double memoryNs = 0, copyNs = 0;
  for (size_t s = 0; s < op.slotCount(); ++s) {
    const bool result = s == op.operandCount;
    memoryNs += memoryNsPerByte(op, s, target.entryBytes) * op.tableElems(s) *
                static_cast<double>(target.entryBytes);
    if (result) {
      perResult += shape.slots[s].access == RowAccess::Contiguous ? 0 : kRowSingleNs;
      continue;
    }
    const double loadNs = rowLoadNs(op, s, target);
    const bool copied = staysCopied(op, s);
    (shape.slots[s].everyTerm ? perTerm : perResult) += copied ? kRowLoadNs / width : loadNs;
    if (copied)
      copyNs += loadNs * static_cast<double>(shape.rowElems) *
                (shape.slots[s].everyTerm ? static_cast<double>(shape.termCount) : 1);
  }
  const double rows = static_cast<double>(shape.outerCount);
  const double terms = static_cast<double>(shape.termCount);
  const double callsNs =
      rows * (shape.horizontal ? kRowTotalNs * terms : kRowResultNs + kRowTermNs * terms);
  return std::max(addresses * perTerm + kept * perResult + callsNs + copyNs, memoryNs);
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
