// OCCUPANCY AND BLOCK WAVES after the ASAP'12 model (Ma and Chamberlain, section III.A).
#pragma once

#include "codegen/kernel/kernel_plan.h"
#include "codegen/kernel/target.h"

namespace mpf {

/// Registers per thread: accumulators, fragments, hoisted products, addresses. An upper estimate;
/// ptxas reports the truth.
uint32_t estimateRegisters(const KernelPlan &plan);

/// Active blocks per multiprocessor B_a: the least of what shared memory, registers, block slots
/// and thread slots allow (equation 1); at least 1.
uint32_t activeBlocks(const KernelPlan &plan, const Target &target);

/// Blocks the busiest multiprocessor runs over the average one: equation 2 says this is 1 only
/// when the grid is a multiple of the multiprocessors.
double waveFactor(const KernelPlan &plan, const Target &target);

/// Fills launch.estimatedRegisters and launch.minBlocksPerSm.
void setOccupancy(KernelPlan &plan, const Target &target);

} // namespace mpf
