// The invariants of a matrix plan. Plans may come from a file, so nothing is taken for granted.
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/matrix_plan.h"

#include <string>

namespace mpf {

/// Returns the fault in one sentence, or an empty string if the plan is sound for the target:
///  - every digit and every operand has exactly one role;
///  - tiles are whole units of instructions and of warps;
///  - segments, vectors, launch shape, index width and promised conflict-freeness are as
///    verify_nest.h requires them.
std::string findFault(const MatrixPlan &plan, const Target &target);

} // namespace mpf
