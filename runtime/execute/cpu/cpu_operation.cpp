#include "runtime/execute/cpu/cpu_operation.h"

#include "dsl/support/check.h"
#include "dsl/support/merge_digits.h"

#include <algorithm>

namespace mpf {

namespace {

StoredSemiring storedSemiringOf(Semiring semiring, bool logInputs) {
  // Logs are converted to values when they are bound, so their Plus is a product of values.
  const bool times = semiring.combine == Combine::Times || logInputs;
  switch (semiring.reduce) {
  case Reduce::Sum:
  case Reduce::LogSum:
    return StoredSemiring::SumTimes;
  case Reduce::Max:
    return times ? StoredSemiring::MaxTimes : StoredSemiring::MaxPlus;
  case Reduce::Min:
    return times ? StoredSemiring::MinTimes : StoredSemiring::MinPlus;
  }
  MPF_UNREACHABLE("reduce {}", static_cast<int>(semiring.reduce));
}

/// Returns the first operand with the most entries.
size_t largestOperand(const CpuOperation &op) {
  size_t largest = 0;
  for (size_t s = 1; s < op.operandCount; ++s)
    largest = op.tableElems(s) > op.tableElems(largest) ? s : largest;
  return largest;
}

} // namespace

const char *cpuPathName(CpuPath path) {
  switch (path) {
  case CpuPath::Entries:
    return "entries";
  case CpuPath::Rows:
    return "rows";
  case CpuPath::Tiles:
    return "tiles";
  }
  MPF_UNREACHABLE("path {}", static_cast<int>(path));
}

CpuOperation prepareLoops(const BundleOperation &operation, bool logInputs) {
  CpuOperation op;
  op.semiring = storedSemiringOf(operation.semiring, logInputs);
  op.scaled = op.semiring != StoredSemiring::MaxPlus && op.semiring != StoredSemiring::MinPlus;
  op.operandCount = static_cast<uint8_t>(operation.operands.size());
  MPF_CHECK(operation.operands.size() <= kMaxBundleOperands, "{} operands, at most {}",
            operation.operands.size(), kMaxBundleOperands);

  BundleOperation merged = operation;
  dropSingleDigits(merged);
  mergeDigits(merged);
  for (size_t d = 0; d < merged.digits.size(); ++d)
    (merged.digits[d].reduced ? op.reduced : op.kept).push_back(loopDigit(merged, d));
  const auto byStride = [](size_t slot) {
    return [slot](const LoopDigit &a, const LoopDigit &b) {
      return a.strides[slot] > b.strides[slot];
    };
  };
  std::stable_sort(op.kept.begin(), op.kept.end(), byStride(op.operandCount));
  std::stable_sort(op.reduced.begin(), op.reduced.end(), byStride(largestOperand(op)));
  op.keptElems = addressCount(op.kept);
  op.reducedElems = addressCount(op.reduced);
  op.termsLog2 = ceilLog2(op.reducedElems);
  for (size_t s = 0; s < op.slotCount(); ++s)
    op.allElems += op.tableElems(s);
  return op;
}

void listEntries(CpuOperation &operation) {
  operation.lists = std::make_unique<EntryLists>();
  operation.lists->kept = EntryList::of(operation.kept, operation.slotCount());
  operation.lists->reduced = EntryList::of(operation.reduced, operation.operandCount);
}

} // namespace mpf
