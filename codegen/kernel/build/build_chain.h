// Chain form -> chain plan: what belongs to a page, how its steps are cut into phases, how images
// lie in shared memory. Candidates differ in the tile of a thread, the length of lines and the
// threads of a block; the one of the least modelled time is taken. Same input, same plan.
#pragma once

#include "codegen/kernel/build/chain_options.h"
#include "codegen/kernel/build/plan_offers.h"
#include "codegen/kernel/plan/chain_plan.h"

#include <optional>
#include <vector>

namespace mpf {

/// The best plan; none when no page of the run fits the target (a step of very many values, a
/// page beyond shared memory).
std::optional<ChainPlan> buildChain(const ChainForm &form, const ChainOptions &options);

/// Its predicted time without the search for paddings, which is what takes time: for choosing where
/// to cut a run. Bank conflicts are taken as avoided.
std::optional<double> predictChain(const ChainForm &form, const ChainOptions &options);

/// name_kernel.h
void nameKernel(ChainPlan &plan);

/// For the choice among families (codegen/kernel/build_kernel.h); none of whole numbers.
PlanOffers<ChainPlan> chainPlans(const ChainForm &form, const KernelOptions &options,
                                 const PlanWish &wish);

} // namespace mpf
