// OCCUPANCY AND BLOCK WAVES after the ASAP'12 model (Ma and Chamberlain, section II.A).
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/nest_plan.h"

#include <optional>

namespace mpf {

/// How many elements of the segment one thread loads before it waits for the first of them. Shared
/// segments: the thread's share of the staging. Others: the fragments of all unrolled iterations.
/// The latency term assumes that all of them are in flight, so each needs registers.
double elemsInFlight(const NestPlan &plan, const Segment &segment);

/// Estimates registers per thread from above: accumulators, fragments, loads in flight, hoisted
/// products, addresses. tests/unit/runtime/compile/kernel_resources_test.cpp compares the estimate
/// with what ptxas reports.
uint32_t estimateRegisters(const NestPlan &plan);
/// The number of registers by which the estimate may be too low. Plans keep them free to avoid
/// spills.
inline constexpr uint32_t kRegisterReserve = 24;
/// A lower estimate of registers per thread, for plans that estimateRegisters does not fit into the
/// registers of the target. With pages in flight, fragments come from shared memory, so a register
/// tile over three digits needs to hold only the rows in use. None for plans without pages in
/// flight, without such a tile, with a guarded digit, or with a segment outside shared memory.
std::optional<uint32_t> leanRegisters(const NestPlan &plan);

/// Active blocks per multiprocessor, B_a: the least of what shared memory, registers, block slots
/// and thread slots allow (equation 1); at least 1. Each scheduler of a multiprocessor has its own
/// share of the registers; warps are dealt out to the schedulers, and the one with most warps sets
/// the limit.
uint32_t activeBlocks(const DigitForm &form, const KernelHeader &plan, const Target &target);
/// The same for any kernel; `slackRegisters` registers per thread are added to the estimate.
uint32_t activeBlocks(const LaunchShape &launch, uint32_t slackRegisters, const Target &target);

/// Registers per thread when minBlocksPerSm blocks (at least 1) share a multiprocessor: the bound
/// that __launch_bounds__ sets for ptxas. A kernel that needs more registers spills.
uint32_t reservedRegisters(const LaunchShape &launch, const Target &target);

/// The number of blocks that the busiest multiprocessor runs, relative to the average. It is 1 only
/// when the grid is a multiple of the number of multiprocessors (equation 2).
double waveFactor(const LaunchShape &launch, const Target &target);

/// How many rounds of blocks a launch takes when minBlocksPerSm (B_a) blocks run on every
/// multiprocessor at a time. Below 6 rounds it is the ceiling of equation 12,
/// ceil(blocks / (B_a * multiprocessors)), because a round that is partly full takes as long as a
/// full one. From 6 on blocks no longer start together: it is the quotient plus 0.5, the ceiling on
/// average. Loop nests only: matrix products and chains take the ceiling always.
double blockRounds(const LaunchShape &launch, const Target &target);

/// Sets launch.estimatedRegisters and launch.minBlocksPerSm of `plan`. minBlocksPerSm does not
/// exceed the blocks that the grid has per multiprocessor, so a small grid leaves its threads all
/// registers.
void setOccupancy(NestPlan &plan, const Target &target);

} // namespace mpf
