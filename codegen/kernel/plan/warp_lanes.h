// Which offsets the lanes of a warp touch together: the request pattern that coalescing and bank
// conflicts are counted on.
#pragma once

#include "codegen/kernel/plan/nest_plan.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace mpf {

/// Offsets (elements) of the lanes of warp `warp`, where thread axis a contributes
/// index * strideOf(a). Fewer than warpThreads in the block's last warp.
std::vector<uint64_t> laneOffsets(const NestPlan &plan, uint32_t warp, uint32_t warpThreads,
                                  const std::function<uint64_t(uint32_t)> &strideOf);

/// Number of different values of offset * bytes / unitBytes.
uint32_t distinctUnits(std::vector<uint64_t> offsets, uint32_t bytes, uint32_t unitBytes);

} // namespace mpf
