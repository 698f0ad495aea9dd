// How the table-driven kernels divide an operation among threads: the rule that their launches and
// their predicted times share.
#pragma once

#include <cstdint>

namespace mpf {

/// Threads of a block, as in the kernels' launch bounds.
inline constexpr uint32_t kTableDrivenThreads = 256;

/// Operations with at most so many bucket addresses are worth less than a launch of their own: one
/// block works off runs of them.
inline constexpr uint64_t kOneBlockAddresses = 1 << 14;

/// How many threads share an output: enough parallelism when outputs are few, one each when many. A
/// power of two, at most a block.
inline uint32_t tableDrivenLanes(uint64_t keptAddresses, uint64_t reducedAddresses) {
  // A lane should still have a dozen terms to add, and the device some 10^5 threads in all.
  uint32_t lanes = 1;
  while (lanes < kTableDrivenThreads && keptAddresses <= 99999 / lanes &&
         reducedAddresses / (2 * lanes) >= 12)
    lanes *= 2;
  return lanes;
}

} // namespace mpf
