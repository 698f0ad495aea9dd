// The invariants of a matrix plan. Plans may come from a file, so nothing is taken for granted.
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/matrix_plan.h"

#include <string>

namespace mpf {

/// What is wrong, in one sentence; empty when the plan is sound for the target: every digit and
/// operand has its one role; tiles suit instructions and warps; segments, vectors, launch shape,
/// index width and promises are what verify_nest.h asks of them.
std::string findFault(const MatrixPlan &plan, const Target &target);

} // namespace mpf
