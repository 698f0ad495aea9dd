#include "runtime/execute/cpu/cpu_operation.h"

#include "dsl/support/check.h"
#include "dsl/support/merge_digits.h"

#include <algorithm>
#include <utility>

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

void addLoops(CpuOperation &op, const BundleOperation &operation) {
  for (size_t d = 0; d < operation.digits.size(); ++d)
    (operation.digits[d].reduced ? op.reduced : op.kept).push_back(loopDigit(operation, d));
}

void sortByStride(std::vector<LoopDigit> &loops, size_t slot) {
  const auto further = [slot](const LoopDigit &a, const LoopDigit &b) {
    return a.strides[slot] > b.strides[slot];
  };
  if (!std::is_sorted(loops.begin(), loops.end(), further)) // std::stable_sort allocates
    std::stable_sort(loops.begin(), loops.end(), further);
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

  if (hasMergedDigits(operation)) { // as most are, and a copy takes time
    addLoops(op, operation);
  } else {
    BundleOperation merged = operation;
    dropSingleDigits(merged);
    mergeDigits(merged);
    addLoops(op, merged);
  }
  sortByStride(op.kept, op.operandCount);
  sortByStride(op.reduced, largestOperand(op));
  op.keptElems = addressCount(op.kept);
  op.reducedElems = addressCount(op.reduced);
  op.termsLog2 = ceilLog2(op.reducedElems);
  for (size_t s = 0; s < op.slotCount(); ++s)
    op.allElems += op.tableElems(s);
  return op;
}

void ListPool::listEntries(CpuOperation &operation) {
  constexpr size_t kMostKnown = 8;
  const auto same = std::ranges::find_if(known_, [&operation](const Known &known) {
    return known.operandCount == operation.operandCount && known.kept == operation.kept &&
           known.reduced == operation.reduced;
  });
  if (same != known_.end()) {
    operation.lists = same->lists;
    return;
  }
  auto lists = std::make_shared<EntryLists>();
  lists->kept = EntryList::of(operation.kept, operation.slotCount());
  lists->reduced = EntryList::of(operation.reduced, operation.operandCount);
  operation.lists = std::move(lists);
  Known known{operation.kept, operation.reduced, operation.operandCount, operation.lists};
  if (known_.size() < kMostKnown)
    known_.push_back(std::move(known));
  else
    known_[oldest_++ % kMostKnown] = std::move(known);
}

} // namespace mpf
