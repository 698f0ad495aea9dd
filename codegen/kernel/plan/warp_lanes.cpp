#include "codegen/kernel/plan/warp_lanes.h"

#include "codegen/kernel/plan/kernel_shape.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

std::vector<uint64_t> laneOffsets(const NestPlan &plan, uint32_t warp, uint32_t warpThreads,
                                  const std::function<uint64_t(uint32_t)> &strideOf) {
  MPF_CHECK(warpThreads > 0, "warp {} of {} threads", warp, warpThreads);
  const AxisRange axes = axesOfRole(plan, AxisRole::Thread);
  const uint32_t first = warp * warpThreads;
  const uint32_t last = std::min(first + warpThreads, plan.launch.blockThreads);
  std::vector<uint64_t> offsets(last > first ? last - first : 0, 0);
  uint32_t threads = 1; // number of threads that the axes so far distinguish
  for (uint32_t a = axes.end; a-- > axes.begin && threads < last;) {
    const uint64_t stride = strideOf(a);
    const auto extent = static_cast<uint32_t>(std::min<uint64_t>(plan.axes[a].extent, last));
    if (stride != 0)
      for (uint32_t lane = 0; lane < offsets.size(); ++lane)
        offsets[lane] += (first + lane) / threads % extent * stride;
    threads *= extent;
  }
  return offsets;
}

uint32_t distinctUnits(std::vector<uint64_t> offsets, uint32_t bytes, uint32_t unitBytes) {
  MPF_CHECK(unitBytes > 0, "{} offsets in units of no byte", offsets.size());
  for (uint64_t &offset : offsets)
    offset = offset * bytes / unitBytes;
  if (!std::is_sorted(offsets.begin(), offsets.end())) // most are
    std::sort(offsets.begin(), offsets.end());
  return static_cast<uint32_t>(std::unique(offsets.begin(), offsets.end()) - offsets.begin());
}

} // namespace mpf
