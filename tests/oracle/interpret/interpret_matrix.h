// Executes a plan of family mma: pages, staging by the threads' shares, fragments by lane.
#pragma once

#include "codegen/kernel/plan/matrix_plan.h"
#include "tests/oracle/interpret/interpretation.h"

#include <vector>

namespace mpf {

/// Interprets a plan as interpretKernel does, which calls this for matrix products.
Interpretation interpretMatrix(const MatrixPlan &plan,
                               const std::vector<std::vector<double>> &operands);

} // namespace mpf
