// Executes a kernel plan literally, thread by thread: pages, validity, staging by fetch parts,
// vector fragments, product steps at their loop depth, guarded stores. Slow and obvious; shares
// with the emitters only what kernel_shape.h says about a plan.
#pragma once

#include "codegen/kernel/kernel_plan.h"
#include "tests/oracle/interpret/interpretation.h"

#include <vector>

namespace mpf {

/// `operands`: one table per operand, as form.operands lay them out. Linear values, or log2 of
/// them when the plan is in log form.
Interpretation interpretKernel(const KernelPlan &plan,
                               const std::vector<std::vector<double>> &operands);

} // namespace mpf
