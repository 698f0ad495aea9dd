// Builds the plan of a chain (chain_plan.h) from its chain form. It chooses the digits of a page,
// the phases of the steps, and the layout of the images in shared memory. Candidates differ in the
// tile of a thread, the length of lines and the threads of a block (assemble_chain.h). The
// candidate with the least modelled time is taken. Equal forms and options give equal plans.
#pragma once

#include "codegen/kernel/build/chain_options.h"
#include "codegen/kernel/build/plan_offers.h"
#include "codegen/kernel/plan/chain_plan.h"

#include <optional>
#include <vector>

namespace mpf {

/// Returns the best plan, with its name. Returns none when no candidate fits the target: a step
/// touches too many values for a thread's tile, or a page exceeds shared memory.
std::optional<ChainPlan> buildChain(const ChainForm &form, const ChainOptions &options);

/// Predicts the time of buildChain's plan in microseconds, or none where buildChain has no plan
/// before padding. Skips the slow search for paddings and assumes that it would avoid every bank
/// conflict. Used to choose where a run of operations is cut into chains.
std::optional<double> predictChain(const ChainForm &form, const ChainOptions &options);

/// Sets plan.name (name_kernel.h).
void nameKernel(ChainPlan &plan);

/// The chain plans that build_kernel.h chooses among. Empty for whole-number element types.
PlanOffers<ChainPlan> chainPlans(const ChainForm &form, const KernelOptions &options,
                                 const PlanWish &wish);

} // namespace mpf
