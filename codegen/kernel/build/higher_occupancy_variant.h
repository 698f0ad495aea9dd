// HIGHER OCCUPANCY: the same kernel held to fewer registers, so that more blocks are resident.
//
// How many registers ptxas needs is an estimate, and whether more warps make up for loads that it
// then issues later no model here can say: it depends on what it finds to hold back. Of 160 kernels
// of random buckets a third ran faster so, by up to 1.4 times, the others slower (RESULTS.md).
// Hence a candidate for a choice by measuring, and the planner's own for the one kind of kernels
// that mostly gains.
#pragma once

#include "codegen/kernel/build/plan_offers.h"
#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/matrix_plan.h"
#include "codegen/kernel/plan/nest_plan.h"

#include <optional>

namespace mpf {

/// `plan` with the fewest more blocks per multiprocessor that leave a thread fewer registers; none
/// where shared memory, threads or the grid allow no more, or hopelessly few registers are left.
/// Its predicted time is that of a kernel which fits. For plans of setOccupancy and of family mma.
///
/// Tiles that convert f64 logarithms, which only other warps hide, mostly run faster as that
/// variant where the model says so too (of 24 random buckets on one H200 21 gained, all together
/// 1.07 in the mean; the worst of the others lost to 0.86). They may spill a few words.
std::optional<OccupancyVariant<NestPlan>> higherOccupancyVariant(const NestPlan &plan,
                                                                 const Target &target);
std::optional<OccupancyVariant<MatrixPlan>> higherOccupancyVariant(const MatrixPlan &plan,
                                                                   const Target &target);

} // namespace mpf
