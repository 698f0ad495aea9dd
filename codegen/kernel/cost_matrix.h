// The cost model's terms of a plan of family mma: matrix instructions, fragment and staging
// traffic, bytes, the latency of a block. cost_model.h adds them up like those of every family.
#pragma once

#include "codegen/kernel/kernel_plan.h"
#include "codegen/kernel/target.h"

#include <vector>

namespace mpf {

/// The names of cost_model.h, in microseconds over the whole device.
std::vector<CostTerm> matrixCostTerms(const KernelPlan &plan, const Target &target);

} // namespace mpf
