// PAGE SEQUENCE: the pages one thread block visits, in order, and for each page which segments
// must be refetched and from where: the papers' policy tables (ICS'08 sections 5.1.3 and 6; Gems
// chapter figure 2(c): PageInvalid, PageOffsets, SegmentSizes, SegmentOffsets).
//
// A specialised kernel has the sequence as loop nesting; these tables are for people, for
// table-driven kernels and for the interpreter.
#pragma once

#include "codegen/kernel/plan/nest_plan.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct Page {
  std::vector<uint64_t> indices;      ///< one per page axis, in axis order
  std::vector<bool> invalid;          ///< one per segment: its contents differ from the page before
  std::vector<uint64_t> offsetsElems; ///< one per operand: start of the page behind the block's
};

/// Pages per block; saturating.
uint64_t pageCount(const NestPlan &plan);

/// The first `limit` pages, last page axis fastest. Page 0 invalidates every segment.
std::vector<Page> pageSequence(const NestPlan &plan, uint64_t limit);

/// Consecutive pages that share a segment's contents: extents of the page axes after the last one
/// in the segment's scope (ICS'08 section 5.1.4, lifetime_f).
uint64_t segmentLifetime(const NestPlan &plan, const Segment &segment);

/// The order of the reduced page axes that refetches least, by greedy choice from the innermost
/// out: the axis that the largest segments still alive lack. (ICS'08 takes the global order, where
/// a small function may stand above a large one and have it refetched for each of its values.)
void orderPageAxes(NestPlan &plan);

} // namespace mpf
