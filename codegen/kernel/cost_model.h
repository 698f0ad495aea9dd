// THE COST MODEL: one function judges every candidate of every family, so that figures compare.
//
// Memory, the multiprocessors' units and the waiting of single blocks overlap, though not
// perfectly: the modelled time is the root of the sum of their squares (family mma: another power,
// matrixOverlap in cost_matrix.h), plus the launch. The terms,
// in the order printed, each in microseconds:
//   dram        bytes of device memory over the copy limit
//   l2          bytes through L2, in whole sectors
//   shared      wavefronts of the load/store units: shared memory, L1, scattered global requests
//   issue       instruction slots: arithmetic, loads, address arithmetic, loops, staging
//   arithmetic  the pipe of the element type: half as many lanes for f64, or fewer
//   exp2        special-function units (log form)
//   waves       the longest of the four above, stretched by uneven blocks per multiprocessor
//               (ASAP'12, equation 2) and by warps too few to fill the schedulers
//   latency     what a block goes through on its own, times the rounds of blocks
//   launch      added: an empty kernel, its first block
#pragma once

#include "codegen/kernel/cost_instructions.h"
#include "codegen/kernel/kernel_plan.h"
#include "codegen/kernel/target.h"

namespace mpf {

/// Operations a microsecond of the element type's pipe, without tensor cores.
double arithmeticPeak(ElementType type, const Target &target);

/// Fills costTerms, predictedUs and floorUs.
void modelCost(KernelPlan &plan, const Target &target, Paddings paddings);

/// What no kernel can go below: every table moved once at the copy limit, the operations at the
/// peak rate of the pipe (as a matrix product where that is less). The same in log form, but for
/// matrix products: an exponential per entry hides behind its bytes.
struct FloorTerms {
  double bytesUs = 0;
  double arithmeticUs = 0;
};
FloorTerms floorTerms(const DigitForm &form, ElementType type, ValueForm valueForm,
                      const Target &target);

/// The longer of the two: no kernel is faster.
double floorUs(const DigitForm &form, ElementType type, ValueForm valueForm, const Target &target);

} // namespace mpf
