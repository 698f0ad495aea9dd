// KERNEL HEADER: what the plans of all families have. What is a family's own stands in its plan
// (nest_plan.h, matrix_plan.h, chain_plan.h); codegen/kernel/kernel_plan.h is a plan of any family.
#pragma once

#include "codegen/kernel/form/digit_form.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf {

struct LaunchShape {
  uint64_t gridBlocks = 1;
  uint32_t blockThreads = 1;
  uint32_t sharedBytes = 0;
  uint32_t minBlocksPerSm = 1;     ///< second argument of __launch_bounds__
  uint32_t estimatedRegisters = 0; ///< per thread, by the model; ptxas has the last word
};

enum class IndexWidth { Bits32, Bits64 };

/// How a kernel sums values given as logarithms (log_sum_cost.h chooses).
enum class LogSum {
  Running,    ///< log-sum-exp with a running maximum: an exponential and more per term
  SplitLoads, ///< entries become mantissas as they are loaded, products and sums are linear
  SplitTerms, ///< products are sums of logarithms, each becomes a mantissa, sums are linear
};

/// One term of the modelled time, printed in every plan; cost_model.h says how they add up.
struct CostTerm {
  std::string name; ///< "dram", "l2", "shared", "issue", "latency", "launch", ...
  double timeUs = 0;
};

struct KernelHeader {
  std::string name; ///< identifier of the kernel: family and content hash, equal plans are equal
  ValueForm valueForm = ValueForm::Linear;
  ElementType type = ElementType::F64;
  /// Running unless logarithms are summed. Split*: dsl/support/scaled_mantissa.h; no chain does.
  LogSum logSum = LogSum::Running;
  uint32_t storeVector = 1; ///< elements per store of the result
  IndexWidth indexWidth = IndexWidth::Bits32;
  LaunchShape launch;
  std::vector<CostTerm> costTerms;
  double predictedUs = 0; ///< the model's time
  double floorUs = 0;     ///< max(compulsory bytes / copy limit, arithmetic / peak)
};

/// What sets kernels of a family for the same work apart, as far as a choice by measuring goes: the
/// model errs alike for kernels of one kind. `kindOf` of each plan says it.
using PlanKind = std::vector<uint64_t>;

/// The header of a plan of any family; codegen/kernel/kernel_plan.h has it for plans of which the
/// family is not known.
inline const KernelHeader &headerOf(const KernelHeader &plan) { return plan; }

} // namespace mpf
