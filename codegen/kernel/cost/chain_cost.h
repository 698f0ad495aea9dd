// The modelled time of a chain: the terms of cost_model.h for its phases. One judge for where to
// cut a run and for which candidate to take.
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/chain_plan.h"

namespace mpf {

/// Fills costTerms, predictedUs and floorUs. `exactShared`: count the images' wavefronts; else
/// they are taken as free of conflicts.
void modelCost(ChainPlan &plan, const Target &target, bool exactShared);

/// Bytes that the chain cannot do without: message, factors, result.
double compulsoryBytes(const ChainForm &form, ElementType type);

} // namespace mpf
