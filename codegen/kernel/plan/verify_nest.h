// The invariants of a nest plan. Plans may come from a file, so nothing is taken for granted.
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/nest_plan.h"

#include <string>

namespace mpf {

/// Returns the fault in one sentence, or an empty string if the plan is sound for the target:
///  - the axes cover every digit exactly once (guarded overhang apart), so that every output is
///    written by one thread and page, and every term is reduced once;
///  - roles fit: blocks, threads and registers over kept digits, sums over reduced ones;
///  - every segment holds its tag's entries without overlap inside its allocation, allocations do
///    not overlap, and the fetch brings each entry once, in bounds;
///  - vector accesses are aligned and wholly inside or outside of guarded extents;
///  - the products use every operand once;
///  - launch shape and index width are what the axes imply and the target allows;
///  - promised conflict-freeness holds (bank_conflicts.h).
std::string findFault(const NestPlan &plan, const Target &target);

/// Whether its axes are named as the planner names them (planned_name.h).
bool hasPlannedNames(const NestPlan &plan);

namespace detail {
std::string findSegmentFault(const NestPlan &plan, const Segment &segment, const Target &target);
} // namespace detail

} // namespace mpf
