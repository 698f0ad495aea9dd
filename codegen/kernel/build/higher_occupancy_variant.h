// HIGHER OCCUPANCY: the same kernel compiled for fewer registers, so that more blocks are resident.
//
// With fewer registers ptxas issues loads later, and more resident warps must make up for the wait.
// The cost model cannot tell whether they do: it depends on what ptxas finds to delay. Of 160
// kernels of random buckets a third ran faster as such a variant, by up to 1.4 times; the others
// ran slower (tools/mpf-bench/results/2026-11-22-random-buckets-all-700.md). So autotune measures
// the variant, and the planner chooses it unmeasured only for the one kind of kernels that mostly
// gains.
#pragma once

#include "codegen/kernel/build/plan_offers.h"
#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/matrix_plan.h"
#include "codegen/kernel/plan/nest_plan.h"

#include <optional>

namespace mpf {

/// Returns `plan` with a larger launch.minBlocksPerSm, named and with its cost modelled anew: the
/// smallest number of blocks that leaves a thread fewer registers than before. Returns none where
/// shared memory, threads or the grid allow no more blocks, or where the registers left are more
/// than 48 below the estimate. The predicted time assumes that nothing spills.
/// launch.minBlocksPerSm of `plan` must be set (setOccupancy in occupancy.h; matrixPlans sets it).
///
/// `mostlyGains` is set for family `tile` where f64 logarithms are converted: only other warps hide
/// the latency of these conversions. If the model too predicts a faster variant, 21 of 24 random
/// buckets gained on one H200. The mean speed-up of all 24 is 1.07; the worst ran at 0.86 of the
/// speed. Such variants may spill a few words.
std::optional<OccupancyVariant<NestPlan>> higherOccupancyVariant(const NestPlan &plan,
                                                                 const Target &target);
std::optional<OccupancyVariant<MatrixPlan>> higherOccupancyVariant(const MatrixPlan &plan,
                                                                   const Target &target);

} // namespace mpf
