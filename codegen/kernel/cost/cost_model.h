// THE COST MODEL: one function judges every candidate of every family, so that figures compare.
//
// Memory, the multiprocessors' units and the waiting of single blocks overlap, though not
// perfectly: the modelled time is the root of the sum of their squares (TermSum: each family its
// power), plus the launch. The terms, in the order printed, each in microseconds:
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
//
// Where the ASAP'12 model (Ma and Chamberlain, section II) is in it, by the names of its equations:
//   B_a (1)               activeBlocks (occupancy.h)
//   B_opt, A_B (2, 4)     grids whose waveFactor is 1
//   T_opt, A_T (3, 5)     warps are counted whole; too few to mask latencies fill a share of the
//                         slots (busyShare)
//   A_C (6)               segments that fit shared memory (fitsTarget), tables that stay in L2
//                         (operandTraffic)
//   Time_min, f_app (7)   floorUs
//   Time (8)              predictedUs
//   r_H, r_M, f_cache     operandTraffic: accesses are no random ones here, so what misses L2 is
//   (9 to 11)             counted; G is the ratio of the rates of terms l2 and dram
//   f_sched (12)          waveFactor; blockRounds, its ceiling with B_a, in latency
#pragma once

#include "codegen/kernel/cost/cost_instructions.h"
#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/nest_plan.h"

#include <vector>

namespace mpf {

/// Operations a microsecond of the element type's pipe, without tensor cores.
double arithmeticPeak(ElementType type, const Target &target);

/// Streams that mostly write or mostly read, over a copy.
inline constexpr double kStreamShare = 1.035;

/// How the terms of a family's plans add up.
struct TermSum {
  double overlap = 1; ///< the exponent of the sum of powers
  double doubt = 1;   ///< the sum is taken times this: above 1 for gains that the terms cannot tell
  double startUs = 0; ///< of a launch, on top of what every kernel takes
  double copyShare = kStreamShare; ///< of the copy limit that device memory reaches
};

/// Fills costTerms with `terms` (all but the launch) and predictedUs with what they add up to;
/// terms that are not there take no time.
void addUpTerms(KernelHeader &plan, std::vector<CostTerm> terms, const TermSum &how,
                const Target &target);

/// Fills costTerms, predictedUs and floorUs. Family mma: cost_matrix.h, chains: chain_cost.h.
void modelCost(NestPlan &plan, const Target &target, Paddings paddings);

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
