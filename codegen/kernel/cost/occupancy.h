// OCCUPANCY AND BLOCK WAVES after the ASAP'12 model (Ma and Chamberlain, section II.A).
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/nest_plan.h"

#include <optional>

namespace mpf {

/// Elements that one thread has asked memory for before it waits for the first: what the latency
/// term counts on, and what must have registers. Shared segments: its share of the staging; others:
/// the fragments of all unrolled iterations.
double elemsInFlight(const NestPlan &plan, const Segment &segment);

/// Registers per thread: accumulators, fragments, loads in flight, hoisted products, addresses. An
/// upper estimate; ptxas reports the truth, and tests/unit/runtime/compile/kernel_resources_test
/// compares.
uint32_t estimateRegisters(const NestPlan &plan);
/// The estimate may be this much too low: no spills.
inline constexpr uint32_t kRegisterReserve = 24;
/// What a thread with all registers of the target can be held to where `estimateRegisters` does not
/// fit: with pages in flight fragments come from shared memory, and only the rows in use of a
/// register tile over three digits need to be there. None for plans whose fragments may take
/// longer.
std::optional<uint32_t> leanRegisters(const NestPlan &plan);

/// Active blocks per multiprocessor B_a: the least of what shared memory, registers, block slots
/// and thread slots allow (equation 1); at least 1. Registers belong to schedulers: warps of a
/// multiprocessor are dealt out to four of them, and the one with the most sets the limit.
uint32_t activeBlocks(const DigitForm &form, const KernelHeader &plan, const Target &target);
/// The same for any kernel, with so many registers per thread left to the compiler.
uint32_t activeBlocks(const LaunchShape &launch, uint32_t slackRegisters, const Target &target);

/// Registers per thread that are left when minBlocksPerSm blocks share a multiprocessor: the bound
/// __launch_bounds__ makes of the plan (at least 1 block). A kernel that needs more spills.
uint32_t reservedRegisters(const LaunchShape &launch, const Target &target);

/// Blocks the busiest multiprocessor runs over the average one: equation 2 says this is 1 only
/// when the grid is a multiple of the multiprocessors.
double waveFactor(const LaunchShape &launch, const Target &target);

/// Rounds in which the blocks of a grid run, minBlocksPerSm (B_a) of them on every multiprocessor
/// at a time: the ceiling of equation 12. After many rounds blocks no longer begin together, and
/// the last one counts half.
double blockRounds(const LaunchShape &launch, const Target &target);

/// Fills launch.estimatedRegisters and launch.minBlocksPerSm: no more blocks than the grid has, so
/// that a small grid leaves its threads all registers.
void setOccupancy(NestPlan &plan, const Target &target);

} // namespace mpf
