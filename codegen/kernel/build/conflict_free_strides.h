// Searches paddings of shared segments (segment_layout.h) with which no warp request has a bank
// conflict (bank_conflicts.h counts them).
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/nest_plan.h"

namespace mpf {

/// Pads each Shared segment: tries fetch orders and paddings, cheapest first, until neither
/// fragment loads nor staging stores conflict. Then it sets Segment::conflictFree to true.
///
/// If no choice reaches that, it keeps fragment loads free of conflicts if possible, and sets
/// conflictFree to false. At last it places the segments anew (placeSegments).
void padSegments(NestPlan &plan, const Target &target);

} // namespace mpf
