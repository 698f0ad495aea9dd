// Which offsets the lanes of a warp access in one request. Coalescing and bank conflicts are
// counted on them.
#pragma once

#include "codegen/kernel/plan/nest_plan.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace mpf {

/// Offsets, in elements, of the lanes of warp `warp`; thread axis a adds index * strideOf(a). The
/// last warp of a block may have fewer than warpThreads lanes.
std::vector<uint64_t> laneOffsets(const NestPlan &plan, uint32_t warp, uint32_t warpThreads,
                                  const std::function<uint64_t(uint32_t)> &strideOf);

/// Number of different values of offset * bytes / unitBytes.
uint32_t distinctUnits(std::vector<uint64_t> offsets, uint32_t bytes, uint32_t unitBytes);

} // namespace mpf
