// Predicted times of one CPU operation on one thread: on a kernel of its own, and on the built-in
// ones. What decides is their difference, so both are meant to be right within a factor of two.
#pragma once

#include "runtime/execute/compiled/compiled_kernel_plan.h"

namespace mpf {

/// `plan.timeNs` is not read.
double compiledTimeNs(const CompiledKernelPlan &plan);

/// On the path that was prepared for the operation (entries, rows or tiles), linear.
double builtInTimeNs(const CpuOperation &operation);

} // namespace mpf
