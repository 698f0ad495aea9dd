// Expands a candidate (axes and wished placements) into a complete nest plan: segments, products,
// vector widths, index width, launch shape. All of them follow from the candidate. Only the
// paddings of shared segments need a search (conflict_free_strides.h); it is too slow to run for
// every candidate, so plans leave here unpadded.
#pragma once

#include "codegen/kernel/build/kernel_options.h"
#include "codegen/kernel/plan/nest_plan.h"

#include <vector>

namespace mpf {

struct NestCandidate {
  NestKind kind = NestKind::Stream;
  std::vector<Axis> axes;            ///< as AxisDivider::axes returns them
  std::vector<Placement> placements; ///< wished, per operand; the capacity rule may refuse Shared
  uint32_t stages = 1;               ///< NestPlan::stages
};

/// Returns the plan with unpadded shared segments. `options` gives element type, value form and
/// target.
NestPlan assemblePlan(const DigitForm &form, const NestCandidate &candidate,
                      const KernelOptions &options);

/// True when the plan respects every limit of the target: threads, grid, shared bytes, registers,
/// size of the unrolled body.
bool fitsTarget(const NestPlan &plan, const Target &target);

} // namespace mpf
