// What one thread block executes: the cost model's "shared", "issue", "arithmetic" and "exp2"
// terms.
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/nest_plan.h"

namespace mpf {

/// Whether the strides of shared segments are final. Before, they are taken to be free of
/// conflicts; then conflicts of segments that do not promise to have none are counted.
enum class Paddings { ToCome, Chosen };

struct InstructionCounts {
  double issueSlots = 0; ///< warp instructions, one per scheduler and clock
  double arithmetic = 0; ///< warp instructions of the element type's pipe, part of issueSlots
  double wavefronts = 0; ///< clocks of the load/store unit of one multiprocessor
  double exp2 = 0;       ///< evaluations by special-function units, all threads
};
InstructionCounts countInstructions(const NestPlan &plan, const Target &target, Paddings paddings);

/// Clocks of the load/store unit for one fetch of a Shared segment: a global request takes one per
/// 128-byte line it touches, or per 128 bytes.
double stagingWavefronts(const NestPlan &plan, const Segment &segment, const Target &target);

/// Arithmetic instructions per reduced term, the last product included; exponentials split off
/// (log_sum_cost.h) are not. `logSum` matters only where usesExp2.
double termSlots(const DigitForm &form, ElementType type, ValueForm valueForm, LogSum logSum);

} // namespace mpf
