// The invariants of a plan of any family. Plans may come from a file, so nothing is taken for
// granted.
#pragma once

#include "codegen/kernel/kernel_plan.h"

#include <string>

namespace mpf {

/// Returns the fault in one sentence, or an empty string if the plan is sound for the target.
/// verify_nest.h, verify_matrix.h and verify_chain.h list the rules of each family.
std::string findFault(const KernelPlan &plan, const Target &target);

/// Returns the fault of a plan in a text or bundle, which does not name the GPU of the plan. It is
/// empty if the plan is sound for one of the GPUs that targetNamed knows, else it is the fault for
/// the reference GPU.
std::string findFaultOnAnyGpu(const KernelPlan &plan);

/// Whether the names that become identifiers in the emitted text have the form of planned_name.h.
bool hasPlannedNames(const KernelPlan &plan);

/// Whether the plan has the name that the planner gives to a plan of these contents: a hash of all
/// of them. False if the plan was edited, or has the name of another plan.
bool hasNameOfItsPlan(const KernelPlan &plan);

} // namespace mpf
