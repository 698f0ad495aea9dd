// Counts the instructions that one thread block of a nest plan executes, for the terms "shared",
// "issue", "arithmetic" and "exp2" of the cost model (cost_model.h).
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/nest_plan.h"

namespace mpf {

/// Whether the paddings of shared segments are chosen. While they are to come, segments are assumed
/// to be free of bank conflicts. Once chosen, the conflicts of segments without the promise
/// conflictFree are counted.
enum class Paddings { ToCome, Chosen };

struct InstructionCounts {
  double issueSlots = 0; ///< warp instructions, one per scheduler and clock
  double arithmetic = 0; ///< warp instructions of the element type's pipe, part of issueSlots
  double wavefronts = 0; ///< clocks of the load/store unit of one multiprocessor
  double exp2 = 0;       ///< evaluations by special-function units, all threads
};
/// The counts of one block, over all of its warps and pages. The plan must have one segment for
/// each operand and a store vector above 0, else Error(Internal).
InstructionCounts countInstructions(const NestPlan &plan, const Target &target, Paddings paddings);

/// Clocks of the load/store unit for one fetch of a Shared segment. A global request takes one
/// clock per 128-byte line that it touches, or per 128 bytes that it moves if that is more.
double stagingWavefronts(const NestPlan &plan, const Segment &segment, const Target &target);

/// Arithmetic instructions per reduced term, with its last product but without the conversions of
/// scaled mantissas (log_sum_cost.h). `logSum` matters only where usesExp2 (log_form.h) is true.
double termSlots(const DigitForm &form, ElementType type, ValueForm valueForm, LogSum logSum);

} // namespace mpf
