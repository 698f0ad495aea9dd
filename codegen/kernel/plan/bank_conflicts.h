// BANK CONFLICTS, counted exactly on the request pattern of a plan.
//
// Shared memory serves one 4-byte word per bank and wavefront. A warp request of 4-byte accesses
// is one phase of 32 lanes, of 8-byte accesses two phases of 16, of 16-byte accesses four of 8.
// Lanes that read the same word share it. A request is conflict-free when each phase needs one
// wavefront only. Two phases of loads merge where every lane wants what its neighbour (lane ^ 1, or
// lane ^ 2) wants and both phases together have no conflict (measured on an H200: RESULTS.md).
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/nest_plan.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Wavefronts of one warp request: lane i accesses `width` elements of `elementBytes` from element
/// offset offsets[i] on. `phases` gets the least possible number.
struct RequestCost {
  uint32_t wavefronts = 0;
  uint32_t phases = 0;
};
RequestCost requestCost(const std::vector<uint64_t> &offsets, uint32_t width, uint32_t elementBytes,
                        const Target &target);
/// Wavefronts of a load without conflicts once phases have merged; where strides are not final,
/// merged phases are taken not to conflict.
uint32_t mergedWavefronts(const std::vector<uint64_t> &offsets, uint32_t width,
                          uint32_t elementBytes, const Target &target, bool stridesFinal);

/// Sums over all different warp requests a block makes to one Shared segment.
/// Fragment loads differ between warps only; other axes shift all lanes alike.
RequestCost fragmentConflicts(const NestPlan &plan, const Segment &segment, const Target &target);
/// Staging stores of one whole page, exactly as fetchParts deals them.
RequestCost stagingConflicts(const NestPlan &plan, const Segment &segment, const Target &target);
/// Stops at the first conflict: for searches.
bool stagingIsFree(const NestPlan &plan, const Segment &segment, const Target &target);

/// Both without any conflict.
bool isConflictFree(const NestPlan &plan, const Segment &segment, const Target &target);

/// Where vector `number` of a segment's fetch starts: in the segment, and in the global table
/// behind the page's start. For the interpreter, the emitters' tests and the conflict count.
struct FetchPlace {
  uint64_t sharedElems = 0;
  uint64_t globalElems = 0;
};
FetchPlace fetchPlace(const NestPlan &plan, const Segment &segment, uint64_t number);
/// Vectors a page's fetch consists of.
uint64_t fetchCount(const Segment &segment);
/// Stride in the segment from one element of a fetch vector to the next.
uint64_t fetchElementStride(const NestPlan &plan, const Segment &segment);

} // namespace mpf
