#include "codegen/kernel/cost/capacity_rule.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <numeric>

namespace mpf {

std::vector<bool> chooseCached(const std::vector<SegmentDemand> &segments, uint64_t capacityElems) {
  std::vector<size_t> order(segments.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return static_cast<double>(segments[a].lifetimePages) *
               static_cast<double>(segments[b].sizeElems) >
           static_cast<double>(segments[b].lifetimePages) *
               static_cast<double>(segments[a].sizeElems);
  });
  for (const SegmentDemand &segment : segments)
    MPF_CHECK(segment.lifetimePages > 0, "a segment of {} entries lives for {} pages",
              segment.sizeElems, segment.lifetimePages);
  std::vector<bool> cached(segments.size(), false);
  for (size_t i : order)
    if (segments[i].sizeElems <= capacityElems) {
      cached[i] = true;
      capacityElems -= segments[i].sizeElems;
    }
  return cached;
}

} // namespace mpf
