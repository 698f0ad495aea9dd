// Chooses the digits of a row and how each table is read along it.
#include "runtime/execute/cpu/cpu_operation.h"

#include <algorithm>

namespace mpf {

namespace {

/// Returns the longest run of reduced addresses that is contiguous in some operand.
uint64_t contiguousReducedRun(const CpuOperation &op) {
  uint64_t best = 1;
  for (size_t s = 0; s < op.operandCount; ++s) {
    uint64_t run = 1;
    for (size_t d = op.reduced.size(); d-- > 0 && op.reduced[d].strides[s] == run;)
      run *= op.reduced[d].extent;
    best = std::max(best, run);
  }
  return best;
}

/// True if totals of rows of reduced digits are better than rows of results. They pay if there are
/// few results, or if a kept row would stride over memory that a reduced row reads in one piece.
bool preferHorizontal(const CpuOperation &op) {
  constexpr uint64_t kFewResults = 64, kLongRun = 32;
  if (op.reducedElems < kLongRun)
    return false;
  if (op.keptElems < kFewResults && op.reducedElems >= 4 * op.keptElems)
    return true;
  return contiguousReducedRun(op) >= kLongRun;
}

RowSlot accessAlong(const RowShape &shape, size_t slot) {
  RowSlot result;
  uint64_t stride = 0, expected = 0;
  for (size_t d = shape.row.size(); d-- > 0;) {
    const LoopDigit &digit = shape.row[d];
    if (d + 1 == shape.row.size())
      stride = expected = digit.strides[slot];
    if (digit.strides[slot] != expected) {
      result.access = RowAccess::Gathered;
      return result;
    }
    expected *= digit.extent;
  }
  result.stride = stride;
  result.access = stride == 0   ? RowAccess::Constant
                  : stride == 1 ? RowAccess::Contiguous
                                : RowAccess::Strided;
  return result;
}

} // namespace

RowShape buildRowShape(const CpuOperation &op) {
  RowShape shape;
  shape.horizontal = preferHorizontal(op);
  std::vector<LoopDigit> &rest = shape.horizontal ? shape.terms : shape.outer;
  rest = shape.horizontal ? op.reduced : op.kept;
  (shape.horizontal ? shape.outer : shape.terms) = shape.horizontal ? op.kept : op.reduced;

  while (!rest.empty() && shape.rowElems * rest.back().extent <= kRowElems) {
    shape.rowElems *= rest.back().extent;
    shape.row.insert(shape.row.begin(), rest.back());
    rest.pop_back();
  }
  shape.lastRowElems = shape.rowElems;
  if (const uint64_t piece = kRowElems / shape.rowElems; !rest.empty() && piece >= 2) {
    const LoopDigit whole = rest.back();
    LoopDigit part = whole;
    part.extent = piece;
    const uint64_t pieces = (whole.extent + piece - 1) / piece;
    shape.lastRowElems = shape.rowElems * (whole.extent - (pieces - 1) * piece);
    shape.rowElems *= piece;
    shape.cut = true;
    shape.row.insert(shape.row.begin(), part);
    rest.back() = piecesOf(whole, pieces, piece);
  }
  shape.outerCount = addressCount(shape.outer);
  shape.termCount = addressCount(shape.terms);
  for (size_t s = 0; s < op.slotCount(); ++s) {
    shape.slots[s] = accessAlong(shape, s);
    shape.slots[s].everyTerm =
        std::any_of(shape.terms.begin(), shape.terms.end(),
                    [s](const LoopDigit &digit) { return digit.strides[s] != 0; });
    // A total may only be multiplied by factors that all its terms share.
    if (shape.horizontal && shape.slots[s].access != RowAccess::Constant)
      shape.slots[s].everyTerm = true;
  }
  return shape;
}

} // namespace mpf
