// LAUNCH TIME: predicted times of the launches of a plan, one behind the other. By them the planner
// decides which copies stand beside which launches (transfers/transfer_plan.h); predictions of
// whole programs (runtime/predict) add them up.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launches/launch_plan.h"
#include "runtime/schedule/launches/level_time.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// What a launch has to do, as far as its time depends on it.
struct LaunchWork {
  LaunchKind kind = LaunchKind::Level;
  /// The launch has nothing to do: a chain, which most likely runs as one kernel, did it.
  bool isDone = false;
  std::vector<PhaseWork> phases; ///< of a level (level_time.h)
  double bytes = 0;              ///< of a normalised table, read and written
  double kernelUs = 0;           ///< of a specialised kernel or chain, as its plan predicts
  /// As many times as there are replicas of them in the launch (slices).
  std::vector<uint32_t> operations;
};

/// By launch. The plan must be sound (verify_launch_plan.h).
std::vector<LaunchWork> launchWorks(const Bundle &bundle, const LaunchPlan &plan);

/// Behind the launch before it. Specialised kernels and chains take what their plans predict
/// (BundleKernel::predictedUs).
double launchTimeUs(const LaunchWork &launch, const LevelSpeed &speed);

} // namespace mpf
