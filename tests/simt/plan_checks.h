// The checks that every emitted kernel must pass in the checker.
#pragma once

#include "runtime/simt/kernel_run.h"

#include <vector>

namespace mpf::simt {

/// Runs each kernel on seeded random tables of mixed forms and scales. It expects, through gtest,
/// entries equal to the operation's definition, exponents recorded as stored, and no fault. Sites
/// that promise it must have no bank conflict. Names must differ.
void checkKernels(std::vector<TestKernel> kernels);
void checkPlans(const std::vector<KernelPlan> &plans);

} // namespace mpf::simt
