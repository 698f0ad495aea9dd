// The invariants of a chain plan. Plans may come from a file, so nothing is taken for granted.
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/chain_plan.h"

#include <string>

namespace mpf {

/// Returns the fault in one sentence, or an empty string if the plan is sound for the target:
///  - the form is sound (chain_form.h);
///  - parts cover every digit exactly; outer parts are of digits that no step touches;
///  - phases take all steps in order;
///  - a phase's register and thread parts are exactly the parts in the page at that time;
///  - all parts that a phase's steps touch are register parts;
///  - every image holds its parts without overlap inside its allocation, in shared memory;
///  - the fetch brings each entry of a page once, in whole aligned vectors;
///  - store vectors are aligned; launch shape and index width are what the parts imply;
///  - promised conflict-freeness holds.
std::string findFault(const ChainPlan &plan, const Target &target);

/// Whether its parts are named as the planner names them (planned_name.h).
bool hasPlannedNames(const ChainPlan &plan);

} // namespace mpf
