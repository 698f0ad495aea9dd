// Plans a kernel that reads more than any L2 cache holds, to be launched before each timed run. It
// leaves only clean lines in the cache, so no write-back falls into the measured time (as it would
// after a memset).
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/kernel_plan.h"

namespace mpf {

/// Returns a kernel that sums 256 MiB of f32, twice the largest L2 of any target: one operand, one
/// small result.
KernelPlan flushL2Kernel(const Target &target);

} // namespace mpf
