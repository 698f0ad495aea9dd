// Defines the GPU and the number of runs for which the kernels of a bundle are chosen.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/kernel/form/target.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>

namespace mpf {

/// Called with a complete bundle, and with candidates of some of its kernels. It may replace
/// kernels by others that compute the same.
using KernelTuner = std::function<void(Bundle &, std::span<const TuningCandidates>)>;

/// The numbers of runs over which a kernel must pay. Compiled kernels are kept in the disk cache;
/// planning is done anew by every process (plan/program/planning_budget.h).
struct KernelRuns {
  double compiling = 100;
  double planning = 100;
};

struct SpecialiseOptions {
  Target target;
  /// Runs over which a compilation pays. The disk cache keeps kernels, so the default assumes that
  /// a model is used again; infinity specialises everything.
  double expectedRuns = 100;
  /// Runs over which the planner's questions pay, whose answers no cache keeps; none: expectedRuns.
  std::optional<double> planningRuns = {};
  size_t candidates = 0;  ///< most candidates of each kernel for the tuner (tuning_candidates.h)
  KernelTuner tuner = {}; ///< empty: every kernel is the cost model's choice
  unsigned threads = 0;   ///< threads that plan kernels; 0: one per core
  /// Called once, before the planner first changes how a table is stored for the GPU, which gains
  /// nothing on a CPU. Empty: there is a GPU.
  std::function<bool()> hasGpu = {};

  KernelRuns kernelRuns() const { return {expectedRuns, planningRuns.value_or(expectedRuns)}; }
};

} // namespace mpf
