// Predicts the times of one CPU operation on one thread, with a compiled kernel and with the
// built-in kernels. Both should be right within a factor of two. choose_compiled.h compares them.
#pragma once

#include "runtime/execute/compiled/compiled_kernel_plan.h"

namespace mpf {

/// Returns the time of the compiled kernel of `plan`, in nanoseconds. Does not read plan.timeNs.
double compiledTimeNs(const CompiledKernelPlan &plan);

/// Returns the time in linear form on the operation's path (entries, rows or tiles), in
/// nanoseconds.
double builtInTimeNs(const CpuOperation &operation);

} // namespace mpf
