// CAPACITY RULE (ICS'08 section 5.1.4): when the segments together exceed shared memory, the ones
// with the greatest lifetime / size stay, the others bypass the cache.
#pragma once

#include <cstdint>
#include <vector>

namespace mpf {

struct SegmentDemand {
  uint64_t sizeElems = 0;
  uint64_t lifetimePages = 1; ///< consecutive pages that share the segment's contents
};

/// Greedy knapsack: segments in decreasing lifetime/size (ties: the earlier operand), each kept if
/// it still fits. Returns one flag per segment.
std::vector<bool> chooseCached(const std::vector<SegmentDemand> &segments, uint64_t capacityElems);

} // namespace mpf
