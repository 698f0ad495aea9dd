// The modelled time of a matrix plan: the terms of cost_model.h for matrix instructions, fragment
// and staging traffic, bytes, the latency of a block.
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/matrix_plan.h"

namespace mpf {

/// Fills costTerms, predictedUs and floorUs.
void modelCost(MatrixPlan &plan, const Target &target);

} // namespace mpf
