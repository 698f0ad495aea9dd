// Emits a GPU's kernel for a lane program: one thread for each case, the whole program as
// straight-line code with all messages in registers. Tables over evidence digits lie in shared
// memory and are read by rows. Single entries of tables that all cases share are constants in the
// instructions.
//
// The kernel suits programs whose messages fit a thread's registers and whose code fits an
// instruction cache. Blocks are persistent: each answers many cases, and fills its shared memory
// once.
#pragma once

#include "codegen/bundle/lanes/lane_image.h"
#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "codegen/kernel/form/target.h"

#include <optional>

namespace mpf {

/// The limits of a kernel with a thread for each case. The defaults are those of the reference
/// machine.
struct LaneKernelLimits {
  uint64_t terms = 6000; ///< laneKernelTerms: each term is an instruction
  /// Shared memory of a block for tables; tables that do not fit are read through L1.
  uint64_t sharedBytes = kLaneTableBytes;
  uint64_t sharedBytesPerSm = 228 << 10; ///< shared memory of all blocks of a multiprocessor
};

/// Returns the limits for a device.
LaneKernelLimits laneKernelLimits(const Target &target);

/// Returns the number that LaneKernelLimits::terms bounds: the products of two entries that a lane
/// forms, plus the entries that it picks from tables.
uint64_t laneKernelTerms(const LaneProgram &program);

/// Returns the kernel, or nothing if the program exceeds the limits. `common` holds the values of
/// the shared tables; they become part of the kernel. Preconditions: `plan` is possible and made
/// for `type`, which is F32 or F64. Deterministic.
std::optional<LaneKernel> emitLanes(const LaneProgram &program, const CommonTables &common,
                                    const LinearPlan &plan, ElementType type,
                                    const LaneKernelLimits &limits = {});

} // namespace mpf
