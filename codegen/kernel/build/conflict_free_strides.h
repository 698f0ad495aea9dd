// SEGMENT LAYOUT: digit order and padded strides of a shared segment. Its layout is free: it has
// nothing to do with the layout of the global table.
//
// The compiler chooses paddings so that no warp request conflicts and checks it.
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/kernel_plan.h"

#include <vector>

namespace mpf {

struct SegmentLayout {
  std::vector<DigitId> digits;         ///< of the segment's tag axes, fastest first
  std::vector<uint64_t> paddingsElems; ///< added to the stride of digits[i + 1]; one per digit
};

/// Sets strides, allocated elements, vectors and the default fetch order of a Shared segment.
void applyLayout(KernelPlan &plan, Segment &segment, const SegmentLayout &layout);

/// Fastest is the digit whose register axis allows the widest fragment vector (else the one of the
/// fastest thread axis), slowest are the reduced digits: "k-major". Unpadded.
SegmentLayout fragmentLayout(const KernelPlan &plan, const Segment &segment);
/// As the global table has them: the papers' segments.
SegmentLayout globalLayout(const KernelPlan &plan, const Segment &segment);

/// Deals the page's vectors to the threads: entries in global order, except that only `lowVectors`
/// vectors along the contiguous axis are neighbours (0: all of them).
void dealFetch(KernelPlan &plan, Segment &segment, uint64_t lowVectors);

/// Tries paddings and fetch orders, cheapest first, until every Shared segment is conflict-free;
/// sets Segment::conflictFree to what was reached and places the segments anew.
void padSegments(KernelPlan &plan, const Target &target);

} // namespace mpf
