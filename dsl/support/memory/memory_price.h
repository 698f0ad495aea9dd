// THE PRICE OF MEMORY on a CPU, as plain data: the time of the first touch of a page, and the cache
// that is worth staying in.
//
// A process pays for each page once, in its first run, when the system clears it. Later runs pay
// only for what the caches do not hold, and the cost models of the kernels know that. The planner
// weighs both (codegen/plan/program/run_costs.h), and so do predictions (runtime/predict/). A quick
// look at the machine measures the figures (runtime/machine/quick_look.h).
#pragma once

#include <cmath>
#include <cstdint>

namespace mpf {

/// Blocks from this size on ask the system for huge pages; the others have small pages.
inline constexpr uint64_t kHugePagesFrom = uint64_t{8} << 20;
/// The units of the times below: a huge page and a small page of x86-64.
inline constexpr uint64_t kLargeTouchBytes = uint64_t{2} << 20, kSmallTouchBytes = 4096;

struct MemoryPrice {
  /// Time in which one thread touches kLargeTouchBytes of a block with huge pages for the first
  /// time, and kSmallTouchBytes of another block.
  double largeTouchUs = 0, smallTouchUs = 0;
  /// Size of the last cache, which all threads share. 0: unknown, or not worth staying in.
  double cacheBytes = 0;

  bool operator==(const MemoryPrice &) const = default;
};

/// Returns the time in which one thread touches a block of so many bytes for the first time.
inline double firstTouchUs(const MemoryPrice &price, double blockBytes) {
  return blockBytes < static_cast<double>(kHugePagesFrom)
             ? std::ceil(blockBytes / kSmallTouchBytes) * price.smallTouchUs
             : std::ceil(blockBytes / kLargeTouchBytes) * price.largeTouchUs;
}

} // namespace mpf
