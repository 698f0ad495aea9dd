// LAUNCH TIME: predicted times of the launches of a plan, one after the other. They decide which
// copies overlap which launches (transfers/transfer_plan.h). Predictions of whole programs
// (runtime/predict) add them up.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launches/launch_plan.h"
#include "runtime/schedule/launches/level_time.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// The work of a launch, as far as its time depends on it.
struct LaunchWork {
  LaunchKind kind = LaunchKind::Level;
  /// Whether the launch has nothing to do, because a chain most likely ran as one kernel.
  bool isDone = false;
  std::vector<PhaseWork> phases; ///< Level: its phases (level_time.h)
  double bytes = 0;              ///< Normalise: bytes read and written
  double kernelUs = 0;           ///< Specialised, Chain: time that the kernel plan predicts
  /// The operations; with slices side by side, an operation once for each replica.
  std::vector<uint32_t> operations;
};

/// Returns the work of each launch. The plan must be sound (verify_launch_plan.h).
std::vector<LaunchWork> launchWorks(const Bundle &bundle, const LaunchPlan &plan);

/// Returns the time of a launch after another one. Specialised kernels and chains take the time
/// that their plans predict (BundleKernel::predictedUs), times LevelSpeed::kernelFactor.
double launchTimeUs(const LaunchWork &launch, const LevelSpeed &speed);

} // namespace mpf
