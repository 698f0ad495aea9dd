// What every bucket and every phase takes, and which buckets are costliest.
#pragma once

#include "codegen/kernel/build/build_kernel.h"
#include "codegen/plan/order/search_parts.h"
#include "codegen/plan/program/table_program.h"
#include "tools/mpfc/explain/facts/explanation.h"

#include <functional>
#include <string>

namespace mpf {

struct CostOptions {
  KernelOptions kernel;            ///< target, element type, value form
  double expectedRuns = 100;       ///< over which kernels must pay on a GPU,
  double expectedCpuRuns = 1;      ///< and on the CPU
  uint64_t hostBytes = UINT64_MAX; ///< what the host has for tables
  std::string device = "auto";     ///< that the run is asked to take: "auto", "cpu", "gpu"
  std::function<bool()> hasGpu;    ///< auto could take one like the target; empty: it could
};

inline constexpr size_t kCostliestBuckets = 10;

/// Fills the times of explanation.buckets (one per operation of `program`), costliest,
/// bucketsOfMost, phases and autoDevice. explanation.memory is there already.
void addCosts(const TableProgram &program, const CostOptions &options,
              QueryExplanation &explanation);

/// Puts the phase that comes before all others in front: the search for an order took `effort`.
void addPlanningPhase(const SearchEffort &effort, QueryExplanation &explanation);

} // namespace mpf
