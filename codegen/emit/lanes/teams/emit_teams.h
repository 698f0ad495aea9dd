// Emits a GPU's kernel for a lane program of which a thread holds too little: a team of warps for
// 32 cases, with loops over the entries of messages in shared memory or, where they are large, in
// device memory. The work of the warps: team_schedule.h; of one warp: team_tile.h.
//
// Against the table-driven teams (team_source.h) extents, strides and addresses are constants of
// the text, entries that several results need are loaded once, and warps wait for each other
// between levels instead of steps. It is compiled for each program, which takes its time.
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "codegen/kernel/form/target.h"

#include <optional>

namespace mpf {

struct TeamKernelLimits {
  uint64_t nearMessageElems = UINT64_MAX; ///< of a message in shared memory, though there be more
  /// Of all tiles, about: what a compiler takes some two seconds for.
  uint64_t statements = 5000;
  uint64_t sharedBytes = 227 << 10;      ///< of a block
  uint64_t sharedBytesPerSm = 228 << 10; ///< of all blocks of a multiprocessor
};

TeamKernelLimits teamKernelLimits(const Target &target);

/// The kernel, or nothing when the program is beyond the limits. `plan` is possible and of `type`,
/// F32 or F64. Deterministic.
std::optional<LaneKernel> emitTeams(const LaneProgram &program, const LinearPlan &plan,
                                    ElementType type, const TeamKernelLimits &limits = {});

} // namespace mpf
