// For which GPU and how many runs the kernels of a bundle are chosen.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/kernel/form/target.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>

namespace mpf {

/// Called with a bundle that is complete, and with candidates of some of its kernels: may put
/// others that do the same in the place of kernels.
using KernelTuner = std::function<void(Bundle &, std::span<const TuningCandidates>)>;

/// Over how many runs a kernel must pay: that it is compiled, which the disk cache remembers, and
/// that it is planned, which every process does anew (plan/program/planning_budget.h).
struct KernelRuns {
  double compiling = 100;
  double planning = 100;
};

struct SpecialiseOptions {
  Target target;
  /// Runs over which a compilation pays. The disk cache keeps kernels, so the default counts on
  /// coming back to a model; infinity specialises everything.
  double expectedRuns = 100;
  /// Runs over which the planner's questions pay, whose answers no cache keeps; none: expectedRuns.
  std::optional<double> planningRuns = {};
  size_t candidates = 0;  ///< at most, of each kernel, for the tuner (tuning_candidates.h)
  KernelTuner tuner = {}; ///< empty: every kernel is the cost model's choice
  unsigned threads = 0;   ///< that plan kernels; 0: one per core
  /// Asked once, before the planner first stores a table otherwise for the GPU's sake, which the
  /// CPU gains nothing by. Empty: there is a GPU.
  std::function<bool()> hasGpu = {};

  KernelRuns kernelRuns() const { return {expectedRuns, planningRuns.value_or(expectedRuns)}; }
};

} // namespace mpf
