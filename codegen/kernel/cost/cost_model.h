// THE COST MODEL: predicts the time of a kernel plan, in microseconds of one target. Loop nests and
// matrix products add up the terms below; chains have a sum of their own (chain_cost.h).
//
// Memory (the greater of dram and l2), the multiprocessors' units (waves) and the waiting of single
// blocks (latency) overlap, though not perfectly. The modelled time is
//     (memory^p + waves^p + latency^p)^(1/p) * doubt + launch
// with the power p and the factor `doubt` of TermSum. The terms, in the order in which a plan
// prints them, each in microseconds:
//   dram        bytes of device memory over the copy limit
//   l2          bytes through L2, in whole sectors
//   shared      wavefronts of the load/store units: shared memory, L1, scattered global requests
//   issue       instruction slots: arithmetic, loads, address arithmetic, loops, staging
//   arithmetic  the pipe of the element type: half as many lanes for f64, or fewer
//   exp2        special-function units (log form)
//   waves       the longest of the four above, stretched by uneven blocks per multiprocessor
//               (ASAP'12, equation 2) and by warps too few to fill the schedulers
//   latency     start, pages and waits of one block on its own, times the rounds of blocks
//   launch      an empty kernel and the start of its first block
//
// How the quantities of the ASAP'12 model (Ma and Chamberlain, section II; equation numbers in
// brackets) appear here:
//   B_a (1)               activeBlocks (occupancy.h)
//   B_opt, A_B (2, 4)     grids whose waveFactor is 1
//   T_opt, A_T (3, 5)     warps are counted whole; too few to mask latencies fill a share of the
//                         slots (busyShare)
//   A_C (6)               segments that fit shared memory (fitsTarget), tables that stay in L2
//                         (operandTraffic)
//   Time_min, f_app (7)   floorTerms (floor.h)
//   Time (8)              predictedUs
//   r_H, r_M, f_cache     operandTraffic: accesses are not random here, so the bytes that miss L2
//   (9 to 11)             can be counted; G is the ratio of the rates of terms l2 and dram
//   f_sched (12)          waveFactor in waves; the rounds of blocks (blockRounds) in latency
#pragma once

#include "codegen/kernel/cost/cost_instructions.h"
#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/nest_plan.h"

#include <vector>

namespace mpf {

/// Rate of streams that mostly read or mostly write, as a multiple of the rate of a copy.
inline constexpr double kStreamShare = 1.035;

/// How the terms of a plan add up.
struct TermSum {
  double overlap = 1; ///< the power p of the sum
  double doubt = 1;   ///< factor of the sum; above 1 where the terms cannot show that a plan gains
  double startUs = 0; ///< time of a launch beyond that of every kernel
  double copyShare = kStreamShare; ///< rate of device memory as a multiple of the copy limit
};

/// Sets costTerms to `terms` and a launch term, and predictedUs to their sum as described above.
/// Missing terms count as 0.
void addUpTerms(KernelHeader &plan, std::vector<CostTerm> terms, const TermSum &how,
                const Target &target);

/// Sets costTerms, predictedUs and floorUs of a nest plan. Matrix plans: cost_matrix.h; chain
/// plans: chain_cost.h.
void modelCost(NestPlan &plan, const Target &target, Paddings paddings);

} // namespace mpf
