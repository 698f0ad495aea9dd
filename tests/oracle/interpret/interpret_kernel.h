// Executes a kernel plan literally, thread by thread: pages, validity, staging by fetch parts,
// vector fragments, product steps at their loop depth, guarded stores. Slow and obvious. It shares
// with the emitters only the facts about a plan in kernel_shape.h.
#pragma once

#include "codegen/kernel/kernel_plan.h"
#include "tests/oracle/interpret/interpretation.h"

#include <vector>

namespace mpf {

/// Interprets a plan. `operands`: one table per operand, in the layout of form.operands. Linear
/// values, or log2 of them when the plan is in log form.
Interpretation interpretKernel(const KernelPlan &plan,
                               const std::vector<std::vector<double>> &operands);

} // namespace mpf
