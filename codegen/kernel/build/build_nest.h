// Families `stream` and `tile`: plans of an operation as a loop nest (nest_plan.h), by enumerating
// candidates (candidates.h) and searching paddings for the best of them.
#pragma once

#include "codegen/kernel/build/kernel_options.h"
#include "codegen/kernel/build/plan_offers.h"
#include "codegen/kernel/plan/nest_plan.h"

namespace mpf {

/// For the choice among families (codegen/kernel/build_kernel.h).
PlanOffers<NestPlan> nestPlans(const DigitForm &form, const KernelOptions &options,
                               const PlanWish &wish);

/// The one plan that options.tagDigits asks for, with its name.
NestPlan buildTagPlan(const DigitForm &form, const KernelOptions &options);

/// name_kernel.h
void nameKernel(NestPlan &plan);

} // namespace mpf
