// Where tables may start in an arena: one rule for planner, bundle and tests.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace mpf {

/// Tables take multiples of this.
inline constexpr uint64_t kTableGrainBytes = 16;

/// What the offset of a table is a multiple of: 256 bytes; for smaller ones the power of two that
/// holds them, at least 16. No vector load and no cache line is split, and a thousand tables of two
/// entries do not take a quarter of a megabyte.
constexpr uint64_t tableAlignBytes(uint64_t sizeBytes) {
  return sizeBytes >= 256 ? 256 : std::max(kTableGrainBytes, std::bit_ceil(sizeBytes));
}

/// Packed tables: entry e is bit e % 32 of the 32-bit word e / 32.
inline constexpr uint32_t kPackedWordElems = 32;
inline constexpr double kPackedElemBytes = 1 / 8.0;

/// Least multiple of `unit` that is not below.
constexpr uint64_t roundUp(uint64_t bytes, uint64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

} // namespace mpf
