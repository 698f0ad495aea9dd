// Executes a plan of family mma: pages, staging as the threads share it out, fragments by lane.
#pragma once

#include "codegen/kernel/plan/matrix_plan.h"
#include "tests/oracle/interpret/interpretation.h"

#include <vector>

namespace mpf {

/// As interpretKernel, which hands plans with a matrix product on.
Interpretation interpretMatrix(const MatrixPlan &plan,
                               const std::vector<std::vector<double>> &operands);

} // namespace mpf
