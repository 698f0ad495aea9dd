// Builds the plans of families `stream` and `tile`: one operation as a loop nest (nest_plan.h). It
// enumerates candidates (candidates.h), ranks them by modelled time, and searches paddings for the
// best of them only.
#pragma once

#include "codegen/kernel/build/kernel_options.h"
#include "codegen/kernel/build/plan_offers.h"
#include "codegen/kernel/plan/nest_plan.h"

namespace mpf {

/// The nest plans that build_kernel.h chooses among, without names. Throws an internal error when
/// candidates exist but none fits the target once its segments are padded.
PlanOffers<NestPlan> nestPlans(const DigitForm &form, const KernelOptions &options,
                               const PlanWish &wish);

/// The one plan of the ICS'08 scheme with a cache tag of options.tagDigits digits (which must be
/// set), with its name. Throws what tagCandidate (candidates.h) throws.
NestPlan buildTagPlan(const DigitForm &form, const KernelOptions &options);

/// Sets plan.name (name_kernel.h).
void nameKernel(NestPlan &plan);

} // namespace mpf
