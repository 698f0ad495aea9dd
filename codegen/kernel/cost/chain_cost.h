// The modelled time of a chain plan: its longest term, a tenth of each other term, and the launch.
// It is not the power sum of cost_model.h. The same model decides where a sequence of operations is
// cut into chains, and which candidate is taken.
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/chain_plan.h"

namespace mpf {

/// Sets costTerms, predictedUs and floorUs of `plan`. With `exactShared` the wavefronts of the
/// images are counted; without it the images are assumed to be free of bank conflicts.
void modelCost(ChainPlan &plan, const Target &target, bool exactShared);

} // namespace mpf
