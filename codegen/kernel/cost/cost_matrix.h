// The cost model's terms of a plan of family mma: matrix instructions, fragment and staging
// traffic, bytes, the latency of a block. cost_model.h adds them up like those of every family.
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/kernel_plan.h"

#include <vector>

namespace mpf {

/// How well memory, units and waiting overlap: the sum of their powers with this exponent is the
/// power of the time. 1: one after another. Blocks of one page load,
/// multiply and store in turn; only other blocks and warps fill the gaps.
double matrixOverlap(const KernelPlan &plan);

/// What the modelled time is taken times: above 1 for plans whose gain the terms cannot tell.
double matrixDoubt(const KernelPlan &plan);

/// The names of cost_model.h, in microseconds over the whole device.
std::vector<CostTerm> matrixCostTerms(const KernelPlan &plan, const Target &target);

} // namespace mpf
