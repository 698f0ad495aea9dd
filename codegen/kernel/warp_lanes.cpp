#include "codegen/kernel/warp_lanes.h"

#include "codegen/kernel/kernel_shape.h"

#include <algorithm>

namespace mpf {

std::vector<uint64_t> laneOffsets(const KernelPlan &plan, uint32_t warp, uint32_t warpThreads,
                                  const std::function<uint64_t(uint32_t)> &strideOf) {
  const AxisRange axes = axesOfRole(plan, AxisRole::Thread);
  const uint32_t first = warp * warpThreads;
  const uint32_t last = std::min(first + warpThreads, plan.launch.blockThreads);
  std::vector<uint64_t> offsets;
  for (uint32_t thread = first; thread < last; ++thread) {
    uint64_t rest = thread, offset = 0;
    for (uint32_t a = axes.end; a-- > axes.begin;) {
      offset += rest % plan.axes[a].extent * strideOf(a);
      rest /= plan.axes[a].extent;
    }
    offsets.push_back(offset);
  }
  return offsets;
}

uint32_t distinctUnits(std::vector<uint64_t> offsets, uint32_t bytes, uint32_t unitBytes) {
  for (uint64_t &offset : offsets)
    offset = offset * bytes / unitBytes;
  std::sort(offsets.begin(), offsets.end());
  return static_cast<uint32_t>(std::unique(offsets.begin(), offsets.end()) - offsets.begin());
}

} // namespace mpf
