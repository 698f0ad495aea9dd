// From a candidate (axes and wished placements) to a complete plan: segments, products, vector
// widths, index width, launch shape. Everything here follows; nothing is chosen by search except
// paddings (conflict_free_strides.h), which cost too much for every candidate.
#pragma once

#include "codegen/kernel/build/kernel_options.h"
#include "codegen/kernel/plan/nest_plan.h"

#include <vector>

namespace mpf {

struct Candidate {
  NestKind kind = NestKind::Stream;
  std::vector<Axis> axes;            ///< as DigitSplitter gives them
  std::vector<Placement> placements; ///< wish per operand; the capacity rule may turn it down
  uint32_t stages = 1;               ///< NestPlan::stages
};

/// The plan with unpadded shared segments. `options` gives types, target and the limits.
NestPlan assemblePlan(const DigitForm &form, const Candidate &candidate,
                      const KernelOptions &options);

/// True when the plan respects every limit of the target: threads, grid, shared bytes, registers,
/// size of the unrolled body.
bool fitsTarget(const NestPlan &plan, const Target &target);

} // namespace mpf
