// The invariants of a plan of any family. Plans may come from a file, so nothing is taken for
// granted.
#pragma once

#include "codegen/kernel/kernel_plan.h"

#include <string>

namespace mpf {

/// Returns what is wrong, in one sentence, or an empty string when the plan is sound for the
/// target. verify_nest.h, verify_matrix.h and verify_chain.h list what each family requires.
std::string findFault(const KernelPlan &plan, const Target &target);

/// The same for texts and bundles, which do not say which GPU a plan was made for: an empty string
/// when the plan is sound for one of the GPUs that targetNamed knows, else what is wrong with it on
/// the reference GPU.
std::string findFaultOnAnyGpu(const KernelPlan &plan);

/// Whether the names that become identifiers in the emitted text have the form of planned_name.h.
bool hasPlannedNames(const KernelPlan &plan);

/// Whether the plan has the name that the planner gives to a plan of its contents: a hash of all of
/// them. A plan that was edited, or took another's name, has not.
bool hasNameOfItsPlan(const KernelPlan &plan);

} // namespace mpf
