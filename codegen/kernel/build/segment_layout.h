// SEGMENT LAYOUT: digit order and padded strides of a shared segment. The layout is independent of
// the layout of the global table. Shared segments only (Placement::Shared).
#pragma once

#include "codegen/kernel/plan/nest_plan.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct SegmentLayout {
  std::vector<DigitId> digits; ///< digits of the segment's tag axes, fastest first
  std::vector<uint64_t>
      paddingsElems; ///< [i] is added to the stride of digits[i + 1]; one per digit
};

/// Values of `digit` inside the tag: product of the extents of its tag axes.
uint64_t tagExtent(const NestPlan &plan, const Segment &segment, DigitId digit);

/// Sets strides and allocated elements of the segment.
void placeDigits(const NestPlan &plan, Segment &segment, const SegmentLayout &layout);
/// Sets strides, allocated elements, vector widths and the default fetch order of the segment.
void applyLayout(NestPlan &plan, Segment &segment, const SegmentLayout &layout);

/// The layout for fast fragment loads, unpadded. Kept digits come first: those whose register axis
/// allows wider fragment vectors before others, then those of faster thread axes. Reduced digits
/// are slowest ("k-major").
SegmentLayout fragmentLayout(const NestPlan &plan, const Segment &segment);
/// The digits in the order of the global table, unpadded: the segments of ICS'08.
SegmentLayout globalLayout(const NestPlan &plan, const Segment &segment);

/// Sets segment.fetchParts: the order in which the vectors of a page are shared out to the threads.
/// It is the order of the global table, except that only `lowVectors` vectors along the contiguous
/// axis follow one another (0: all of them) and the rest of that axis varies slowest.
void dealFetch(NestPlan &plan, Segment &segment, uint64_t lowVectors);

/// Places the buffers of all shared segments one after another, each segment aligned to 16 bytes,
/// and sets plan.launch.sharedBytes. Call it again whenever a padding has changed.
void placeSegments(NestPlan &plan);

} // namespace mpf
