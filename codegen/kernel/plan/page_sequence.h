// PAGE SEQUENCE: the pages that one thread block visits, in order, and for each page the segments
// that must be refetched, with their offsets. These are the papers' policy tables (ICS'08 sections
// 5.1.3 and 6; Gems chapter figure 2(c): PageInvalid, PageOffsets, SegmentSizes, SegmentOffsets).
//
// A specialised kernel has the sequence as its loop nest. The tables are printed in plans for
// people and run by the interpreter.
#pragma once

#include "codegen/kernel/plan/nest_plan.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct Page {
  std::vector<uint64_t> indices;      ///< one per page axis, in axis order
  std::vector<bool> invalid;          ///< one per segment: its contents differ from the page before
  std::vector<uint64_t> offsetsElems; ///< one per operand: start of the page from the block's start
};

/// Pages per block; saturating.
uint64_t pageCount(const NestPlan &plan);

/// The first `limit` pages, last page axis fastest. Page 0 invalidates every segment.
std::vector<Page> pageSequence(const NestPlan &plan, uint64_t limit);

/// Consecutive pages that share a segment's contents: extents of the page axes after the last one
/// in the segment's scope (ICS'08 section 5.1.4, lifetime_f).
uint64_t segmentLifetime(const NestPlan &plan, const Segment &segment);

/// Reorders the reduced page axes of `plan` to refetch little. A greedy choice from the innermost
/// axis outwards: next is the axis that saves most refetched entries, counting only operands that
/// no axis chosen so far invalidates. (ICS'08 takes the global order instead. There an axis of a
/// small function may be inside an axis of a large function, so that the large function is
/// refetched for each value of the inner axis.)
void orderPageAxes(NestPlan &plan);

} // namespace mpf
