// SEGMENT LAYOUT: digit order and padded strides of a shared segment. Its layout is free: it has
// nothing to do with the layout of the global table.
#pragma once

#include "codegen/kernel/plan/nest_plan.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct SegmentLayout {
  std::vector<DigitId> digits;         ///< of the segment's tag axes, fastest first
  std::vector<uint64_t> paddingsElems; ///< added to the stride of digits[i + 1]; one per digit
};

/// Values of `digit` inside the tag: product of the extents of its tag axes.
uint64_t tagExtent(const NestPlan &plan, const Segment &segment, DigitId digit);

/// Sets strides, allocated elements, vectors and the default fetch order of a Shared segment.
void applyLayout(NestPlan &plan, Segment &segment, const SegmentLayout &layout);

/// Fastest is the digit whose register axis allows the widest fragment vector (else the one of the
/// fastest thread axis), slowest are the reduced digits: "k-major". Unpadded.
SegmentLayout fragmentLayout(const NestPlan &plan, const Segment &segment);
/// As the global table has them: the papers' segments.
SegmentLayout globalLayout(const NestPlan &plan, const Segment &segment);

/// Deals the page's vectors to the threads: entries in global order, except that only `lowVectors`
/// vectors along the contiguous axis are neighbours (0: all of them).
void dealFetch(NestPlan &plan, Segment &segment, uint64_t lowVectors);

/// Lays the shared segments out one after another, each aligned to 16 bytes, and sets the launch's
/// shared bytes. Called again whenever a padding has changed.
void placeSegments(NestPlan &plan);

} // namespace mpf
