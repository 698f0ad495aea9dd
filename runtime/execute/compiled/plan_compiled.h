// Operation of the CPU -> the loops of the C++ kernel that is written for it.
#pragma once

#include "runtime/execute/compiled/compiled_kernel_plan.h"

namespace mpf {

/// The fastest plan by prediction. The operation's type must be F32 or F64.
CompiledKernelPlan planCompiled(const CpuOperation &operation, ElementType type);

} // namespace mpf
