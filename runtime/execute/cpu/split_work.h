// Cutting one operation's results into parts for the threads. Sums are never cut: every result is
// computed by one thread in the same order, whatever the number of parts.
#pragma once

#include "runtime/execute/cpu/cpu_operation.h"

#include <algorithm>
#include <utility>

namespace mpf {

/// One operand of one term of the row path, in nanoseconds.
inline constexpr double kLinearTermNs = 0.5, kLogTermNs = 3, kIntegerTermNs = 2;

/// Parts worth making for `threads` threads of what takes one of them `timeNs`: 1 when it is too
/// short to share.
inline size_t partCount(double timeNs, size_t threads) {
  constexpr double kWorthSharingNs = 100'000; // waking threads costs some 10 us
  return threads == 1 || timeNs < kWorthSharingNs ? 1 : 4 * threads;
}
inline double termsNs(const CpuOperation &operation, double termNs) {
  return operation.addresses() * termNs * operation.operandCount;
}

/// Part `part` of `parts` of 0..count: [first, second).
inline std::pair<uint64_t, uint64_t> partOf(uint64_t count, size_t part, size_t parts) {
  const uint64_t each = count / parts, extra = count % parts;
  const auto begin = [&](uint64_t p) { return p * each + std::min<uint64_t>(p, extra); };
  return {begin(part), begin(part + 1)};
}

} // namespace mpf
