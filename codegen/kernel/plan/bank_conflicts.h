// BANK CONFLICTS, counted exactly on the request pattern of a plan.
//
// Shared memory serves one 4-byte word per bank and wavefront. A warp request of 4-byte accesses
// is one phase of 32 lanes, of 8-byte accesses two phases of 16, of 16-byte accesses four of 8.
// Lanes that read the same word share it. A request is conflict-free when each phase needs one
// wavefront only. Two phases of a load merge into one wavefront where every lane reads what its
// neighbour (lane ^ 1, or lane ^ 2) reads and both phases together have no conflict (measured on an
// H200: tools/mpf-bench/results/2026-11-21-triangle.md).
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/nest_plan.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct RequestCost {
  uint32_t wavefronts = 0;
  uint32_t phases = 0; ///< wavefronts if nothing conflicted
};
/// The cost of one warp request: lane i accesses `width` elements of `elementBytes` bytes from
/// element offset offsets[i] on.
RequestCost requestCost(const std::vector<uint64_t> &offsets, uint32_t width, uint32_t elementBytes,
                        const Target &target);
/// Whether that needs no more wavefronts than phases. Faster: stops at the first conflict.
bool requestIsFree(const std::vector<uint64_t> &offsets, uint32_t width, uint32_t elementBytes,
                   const Target &target);
/// Wavefronts of a load that has no conflicts, after phases have merged. With `stridesFinal` false,
/// phases that agree are assumed to merge without a conflict.
uint32_t mergedWavefronts(const std::vector<uint64_t> &offsets, uint32_t width,
                          uint32_t elementBytes, const Target &target, bool stridesFinal);

/// The fragment loads of one Shared segment: the sum over the warps of a block of one request each.
/// (Other requests of a warp shift all lanes alike and cost the same.)
RequestCost fragmentConflicts(const NestPlan &plan, const Segment &segment, const Target &target);
/// Whether fragmentConflicts finds none, for many paddings of a plan's segments: which lane has
/// which index is worked out once, and the first conflict is enough. The plan must outlive it.
class FragmentLanes {
public:
  FragmentLanes(const NestPlan &plan, const Target &target);
  bool areFree(const Segment &segment);

private:
  const NestPlan &plan_;
  const Target &target_;
  const AxisRange axes_;                       ///< of threads
  std::vector<std::vector<uint64_t>> indices_; ///< by warp and axis: of each lane
  std::vector<uint64_t> offsets_;
};
/// The staging stores of one whole page of a Shared segment, as fetchParts deals them to threads.
RequestCost stagingConflicts(const NestPlan &plan, const Segment &segment, const Target &target);
/// Whether stagingConflicts finds none. Faster: stops at the first one.
bool stagingIsFree(const NestPlan &plan, const Segment &segment, const Target &target);

/// Whether neither fragment loads nor staging stores of the segment conflict.
bool isConflictFree(const NestPlan &plan, const Segment &segment, const Target &target);

/// Where vector `number` of a segment's fetch starts: in the segment, and in the global table
/// relative to the page's start. Used by the interpreter, the emitters' tests and stagingConflicts.
struct FetchPlace {
  uint64_t sharedElems = 0;
  uint64_t globalElems = 0;
};
FetchPlace fetchPlace(const NestPlan &plan, const Segment &segment, uint64_t number);
/// Number of vectors that a page's fetch consists of.
uint64_t fetchCount(const Segment &segment);
/// Stride in the segment from one element of a fetch vector to the next; 0 where no tag axis has
/// global stride 1.
uint64_t fetchElementStride(const NestPlan &plan, const Segment &segment);

} // namespace mpf
