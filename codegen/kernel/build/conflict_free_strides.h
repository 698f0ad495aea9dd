// Paddings of shared segments (segment_layout.h) with which no warp request conflicts: searched
// for, and checked (bank_conflicts.h).
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/nest_plan.h"

namespace mpf {

/// Tries paddings and fetch orders, cheapest first, until every Shared segment is conflict-free;
/// sets Segment::conflictFree to what was reached and places the segments anew.
void padSegments(NestPlan &plan, const Target &target);

} // namespace mpf
