// The invariants of a plan of any family. Plans may come from a file, so nothing is taken for
// granted.
#pragma once

#include "codegen/kernel/kernel_plan.h"

#include <string>

namespace mpf {

/// What is wrong, in one sentence; empty when the plan is sound for the target: what its family
/// promises (verify_nest.h, verify_matrix.h, verify_chain.h).
std::string findFault(const KernelPlan &plan, const Target &target);

/// Whether what becomes an identifier in the emitted text is named as the planner names it.
bool hasPlannedNames(const KernelPlan &plan);

/// Whether the plan has the name that the planner gives to a plan of its contents: a hash of all of
/// them. A plan that was edited, or took another's name, has not.
bool hasNameOfItsPlan(const KernelPlan &plan);

} // namespace mpf
