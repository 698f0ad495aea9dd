// Predicts the times of one CPU operation on one thread, with a compiled kernel and with the
// built-in kernels. choose_compiled.h compares the two; each should be right within a factor of
// two.
#pragma once

#include "runtime/execute/compiled/compiled_kernel_plan.h"

namespace mpf {

/// Time of the compiled kernel of `plan`, in nanoseconds. Does not read plan.timeNs.
double compiledTimeNs(const CompiledKernelPlan &plan);

/// Time in linear form on the path that was prepared for the operation (entries, rows or tiles), in
/// nanoseconds.
double builtInTimeNs(const CpuOperation &operation);

} // namespace mpf
