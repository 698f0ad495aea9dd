// KERNEL HEADER: the fields that plans of all families have. The plan type of each family derives
// from it (nest_plan.h, matrix_plan.h, chain_plan.h); codegen/kernel/kernel_plan.h defines the
// variant of them.
#pragma once

#include "codegen/kernel/form/digit_form.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf {

struct LaunchShape {
  /// Nests: the product of the block axes. Matrix products: the tiles of all batches, or, with
  /// persistent blocks, what the device holds at once. Chains: their pages / pagesPerBlock.
  uint64_t gridBlocks = 1;
  uint32_t blockThreads = 1;
  uint32_t sharedBytes = 0;
  uint32_t minBlocksPerSm = 1;     ///< second argument of __launch_bounds__
  uint32_t estimatedRegisters = 0; ///< per thread, by the model; ptxas has the last word
};

enum class IndexWidth { Bits32, Bits64 };

/// How a kernel sums values given as logarithms (log_sum_cost.h chooses).
enum class LogSum {
  Running,       ///< log-sum-exp with a running maximum: an exponential and more per term
  MantissaLoads, ///< entries become mantissas as they are loaded, products and sums are linear
  MantissaTerms, ///< products are sums of logarithms, each becomes a mantissa, sums are linear
};

/// One term of the modelled time, printed in every plan; cost_model.h says how they add up.
struct CostTerm {
  std::string name; ///< "dram", "l2", "shared", "issue", "latency", "launch", ...
  double timeUs = 0;
};

struct KernelHeader {
  std::string name; ///< identifier of the kernel, FAMILY_HASH: equal kernels have equal names
  ValueForm valueForm = ValueForm::Linear;
  ElementType type = ElementType::F64;
  /// Running unless logarithms are summed. MantissaLoads and MantissaTerms use scaled mantissas
  /// (dsl/support/scaled_mantissa.h); chains are always Running.
  LogSum logSum = LogSum::Running;
  uint32_t storeVector = 1; ///< elements per store of the result
  IndexWidth indexWidth = IndexWidth::Bits32;
  LaunchShape launch;
  std::vector<CostTerm> costTerms;
  double predictedUs = 0; ///< modelled time of a launch
  double floorUs = 0;     ///< max(compulsory bytes / copy limit, arithmetic / peak)
};

/// The kind of a kernel among those for the same work, for autotune. The model errs alike for
/// kernels of one kind, so autotune measures plans of different kinds first
/// (diversify_candidates.h). `kindOf` of each plan type returns it.
using PlanKind = std::vector<uint64_t>;

/// The header of a plan whose family is known; codegen/kernel/kernel_plan.h has the overload for
/// KernelPlan.
inline const KernelHeader &headerOf(const KernelHeader &plan) { return plan; }

} // namespace mpf
