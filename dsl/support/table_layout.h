// The places at which tables may start in an arena. Planner, bundle and tests use this rule.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace mpf {

/// The size of a table is rounded up to a multiple of this.
inline constexpr uint64_t kTableGrainBytes = 16;

/// Returns the alignment of a table of `sizeBytes`: 256 bytes, or for a smaller table the least
/// power of two that holds it, but at least 16. So no vector load crosses a cache line, and a
/// thousand tables of two entries do not take 256 bytes each.
constexpr uint64_t tableAlignBytes(uint64_t sizeBytes) {
  return sizeBytes >= 256 ? 256 : std::max(kTableGrainBytes, std::bit_ceil(sizeBytes));
}

/// Returns the least multiple of `unit` that is at least `bytes`.
constexpr uint64_t roundUp(uint64_t bytes, uint64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

} // namespace mpf
