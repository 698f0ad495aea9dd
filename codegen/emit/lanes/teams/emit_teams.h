// Emits a GPU's kernel for a lane program that is too large for one thread: a team of warps answers
// 32 cases. The warps loop over the entries of messages. Messages are in shared memory, large ones
// in device memory. team_schedule.h describes the work of all warps, team_tile.h that of one warp.
//
// Unlike in the table-driven teams (team_source.h), extents, strides and addresses are
// constants of the text. Entries that several results need are loaded once. Warps wait for each
// other between levels instead of steps. The price is a compilation for each program.
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "codegen/kernel/form/target.h"

#include <optional>

namespace mpf {

struct TeamKernelLimits {
  /// Entries of a message in shared memory; larger ones go to device memory even if there is room.
  uint64_t nearMessageElems = UINT64_MAX;
  /// Statements of all tiles, about. A compiler takes some two seconds for the default.
  uint64_t statements = 5000;
  uint64_t sharedBytes = 227 << 10;      ///< shared memory of a block
  uint64_t sharedBytesPerSm = 228 << 10; ///< shared memory of all blocks of a multiprocessor
};

TeamKernelLimits teamKernelLimits(const Target &target);

/// Returns the kernel, or nothing if the program exceeds the limits. Preconditions: `plan` is
/// possible and made for `type`, which is F32 or F64. Deterministic.
std::optional<LaneKernel> emitTeams(const LaneProgram &program, const LinearPlan &plan,
                                    ElementType type, const TeamKernelLimits &limits = {});

} // namespace mpf
