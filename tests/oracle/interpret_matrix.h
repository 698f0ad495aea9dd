// Executes a plan of family mma: pages, staging as the threads share it out, fragments by lane.
#pragma once

#include "tests/oracle/interpret_kernel.h"

namespace mpf {

/// As interpretKernel, which hands plans with a matrix product on.
Interpretation interpretMatrix(const KernelPlan &plan,
                               const std::vector<std::vector<double>> &operands);

} // namespace mpf
