// Executes a plan of family mma: pages, staging as the threads share it out, fragments by lane.
#pragma once

#include "codegen/kernel/plan/kernel_plan.h"
#include "tests/oracle/interpret/interpretation.h"

#include <vector>

namespace mpf {

/// As interpretKernel, which hands plans with a matrix product on.
Interpretation interpretMatrix(const KernelPlan &plan,
                               const std::vector<std::vector<double>> &operands);

} // namespace mpf
