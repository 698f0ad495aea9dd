// A kernel that reads more than any L2 cache holds, to be launched before each timed run: what it
// leaves behind is clean, so that no write-back falls into the time that is measured (as it would
// after a memset).
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/kernel_plan.h"

namespace mpf {

/// Sums of 256 MiB of f32, twice the largest L2 of any target: one operand, one small result.
KernelPlan flushL2Kernel(const Target &target);

} // namespace mpf
