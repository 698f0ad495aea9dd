// The modelled time of a matrix plan: the terms of cost_model.h, from its matrix instructions, its
// fragment and staging traffic, its bytes, and the latency of a block.
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/matrix_plan.h"

namespace mpf {

/// Sets costTerms, predictedUs and floorUs of `plan`.
void modelCost(MatrixPlan &plan, const Target &target);

} // namespace mpf
