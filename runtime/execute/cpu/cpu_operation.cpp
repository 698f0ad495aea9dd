#include "runtime/execute/cpu/cpu_operation.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <bit>

namespace mpf {

namespace {

StoredSemiring storedSemiringOf(Semiring semiring, bool logInputs) {
  // Values given as logs are converted when they are bound: their Plus is a product of values.
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

/// True when `outer`, `inner` are one digit to every table: they merge.
bool mergeable(const LoopDigit &outer, const LoopDigit &inner, size_t slots) {
  for (size_t s = 0; s < slots; ++s)
    if (outer.strides[s] != inner.strides[s] * inner.extent)
      return false;
  return true;
}

void mergeDigits(std::vector<LoopDigit> &digits, size_t slots) {
  std::vector<LoopDigit> merged;
  for (const LoopDigit &digit : digits) {
    if (!merged.empty() && mergeable(merged.back(), digit, slots)) {
      const uint64_t extent = merged.back().extent * digit.extent;
      merged.back() = digit;
      merged.back().extent = extent;
    } else {
      merged.push_back(digit);
    }
  }
  digits = std::move(merged);
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

  std::array<uint64_t, kMaxSlots> sizes{};
  sizes.fill(1);
  for (size_t d = 0; d < operation.digits.size(); ++d) {
    const BundleDigit &from = operation.digits[d];
    if (from.extent == 1)
      continue;
    LoopDigit digit{from.extent, {}};
    for (size_t s = 0; s < operation.operands.size(); ++s)
      digit.strides[s] = operation.operands[s].stridesElems[d];
    digit.strides[op.operandCount] = operation.result.stridesElems[d];
    for (size_t s = 0; s < op.slotCount(); ++s)
      sizes[s] *= digit.strides[s] != 0 ? from.extent : 1;
    (from.reduced ? op.reduced : op.kept).push_back(digit);
  }
  const auto byStride = [](size_t slot) {
    return [slot](const LoopDigit &a, const LoopDigit &b) {
      return a.strides[slot] > b.strides[slot];
    };
  };
  const auto largest = static_cast<size_t>(
      std::max_element(sizes.begin(), sizes.begin() + op.operandCount) - sizes.begin());
  std::stable_sort(op.kept.begin(), op.kept.end(), byStride(op.operandCount));
  std::stable_sort(op.reduced.begin(), op.reduced.end(), byStride(largest));
  mergeDigits(op.kept, op.slotCount());
  mergeDigits(op.reduced, op.slotCount());
  op.keptElems = addressCount(op.kept);
  op.reducedElems = addressCount(op.reduced);
  op.termsLog2 =
      op.reducedElems <= 1 ? 0 : static_cast<int32_t>(std::bit_width(op.reducedElems - 1));
  return op;
}

} // namespace mpf
