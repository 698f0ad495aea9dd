// Divides the results of one operation into parts for the threads. Sums are never divided: one
// thread computes each result, in the same order for any number of parts.
#pragma once

#include "runtime/execute/cpu/cpu_operation.h"

#include <algorithm>
#include <utility>

namespace mpf {

/// Time for one operand of one term of the row path, in nanoseconds.
inline constexpr double kLinearTermNs = 0.5, kLogTermNs = 3, kIntegerTermNs = 2;

inline double termsNs(const CpuOperation &operation, double termNs) {
  return operation.addresses() * termNs * operation.operandCount;
}

/// Part `part` of `parts` of 0..count: [first, second).
inline std::pair<uint64_t, uint64_t> stretchOf(uint64_t count, size_t part, size_t parts) {
  const uint64_t each = count / parts, extra = count % parts;
  const auto begin = [&](uint64_t p) { return p * each + std::min<uint64_t>(p, extra); };
  return {begin(part), begin(part + 1)};
}

} // namespace mpf
