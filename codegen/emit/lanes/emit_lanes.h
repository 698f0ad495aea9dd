// Emits a GPU's kernel for a lane program: one thread for each case, the whole program as
// straight-line code with all messages in registers. Tables over evidence digits lie in shared
// memory and are read by rows; single entries of shared tables stand in the instructions.
//
// For programs that a thread's registers hold and an instruction cache too. Blocks stay and take
// case after case, so that shared memory is filled once.
#pragma once

#include "codegen/bundle/lanes/lane_image.h"
#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "codegen/kernel/form/target.h"

#include <optional>

namespace mpf {

/// Defaults: those of the reference machine.
struct LaneKernelLimits {
  uint64_t terms = 6000;                  ///< products of two entries, which are instructions
  uint64_t sharedBytes = kLaneTableBytes; ///< what does not fit is read through L1
  uint64_t sharedBytesPerSm = 228 << 10;  ///< of all blocks of a multiprocessor
};

/// Of a device.
LaneKernelLimits laneKernelLimits(const Target &target);

/// What the limit of terms counts: the products of two entries in a lane, and the entries it picks.
uint64_t laneKernelTerms(const LaneProgram &program);

/// The kernel, or nothing when the program is beyond the limits. `common` are the shared tables
/// with the values that the kernel is to hold, `plan` is possible and of `type`, F32 or F64.
/// Deterministic.
std::optional<LaneKernel> emitLanes(const LaneProgram &program, const CommonTables &common,
                                    const LinearPlan &plan, ElementType type,
                                    const LaneKernelLimits &limits = {});

} // namespace mpf
