// Plans the loops of the compiled kernel of a CPU operation.
#pragma once

#include "runtime/execute/compiled/compiled_kernel_plan.h"

namespace mpf {

/// Returns the plan with the least predicted time (compiled_cost.h). `type` must be F32 or F64.
CompiledKernelPlan planCompiled(const CpuOperation &operation, ElementType type);

} // namespace mpf
