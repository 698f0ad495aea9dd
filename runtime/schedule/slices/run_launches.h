// The launches that the executor of a GPU plans for a bundle
// (runtime/execute/gpu/runs/gpu_program.h), slices side by side included. The machine needs no GPU.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launches/build_launch_plan.h"
#include "runtime/schedule/slices/replicate_slices.h"

namespace mpf {

/// The GPU, and how a session uses it.
struct LaunchSite {
  LevelSpeed speed; ///< speed, and number of multiprocessors
  JoinLevels joins = JoinLevels::Auto;
  /// Whether the result of each operation is looked at (SessionOptions::verifySamples). Operations
  /// then have separate launches, slices run one by one, and the plan assumes nothing of values.
  bool looksAtEach = false;
};

struct RunLaunches {
  ReplicatedBundle program; ///< the program to launch
  LaunchOptions options;    ///< options of a plan for the ranges of the bundle's inputs

  LaunchPlan plan() const { return buildLaunchPlan(program.bundle, options); }
  /// Returns the number of launches of the plan in one run, all passes of loops. Launches that
  /// enter slices and add them up are not counted.
  double countIn(const LaunchPlan &plan) const;
};

/// Returns the launches of a run. `bundle` must have GPU kernels. Deterministic; time nearly linear
/// in the operations.
RunLaunches runLaunches(const Bundle &bundle, const LaunchSite &site);

} // namespace mpf
