// From a candidate (axes and wished placements) to a complete plan: segments, products, vector
// widths, index width, launch shape. Everything here follows; nothing is chosen by search except
// paddings (conflict_free_strides.h), which cost too much for every candidate.
#pragma once

#include "codegen/kernel/build/kernel_options.h"

#include <vector>

namespace mpf {

struct Candidate {
  Family family = Family::Stream;
  std::vector<Axis> axes;            ///< as DigitSplitter gives them
  std::vector<Placement> placements; ///< wish per operand; the capacity rule may turn it down
  uint32_t stages = 1;               ///< KernelPlan::stages
};

/// The plan with unpadded shared segments. `options` gives types, target and the limits.
KernelPlan assemblePlan(const DigitForm &form, const Candidate &candidate,
                        const KernelOptions &options);

/// True when the plan respects every limit of the target: threads, grid, shared bytes, registers,
/// size of the unrolled body.
bool fitsTarget(const KernelPlan &plan, const Target &target);

/// The name: family and a hash of everything but tables, variables and the modelled times.
void nameKernel(KernelPlan &plan);

} // namespace mpf
