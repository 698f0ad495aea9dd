// The launches of whole runs on a GPU that need not be there: what its executor plans for a bundle
// (execute/gpu/gpu_program.h), slices side by side included.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launches/build_launch_plan.h"
#include "runtime/schedule/slices/replicate_slices.h"

namespace mpf {

/// The GPU, and how a session uses it.
struct LaunchSite {
  LevelSpeed speed; ///< with the number of its multiprocessors
  JoinLevels joins = JoinLevels::Auto;
  /// Results of single operations are looked at (SessionOptions::verifySamples): each has launches
  /// of its own, slices go one by one, and nothing is assumed of the values.
  bool looksAtEach = false;
};

struct RunLaunches {
  ReplicatedBundle program; ///< what the launches are of
  LaunchOptions options;    ///< of a plan for the ranges of the bundle's inputs

  LaunchPlan plan() const { return buildLaunchPlan(program.bundle, options); }
  /// Launches of the plan in one run, each as often as the passes of its loop; without those that
  /// enter slices and add them up.
  double countIn(const LaunchPlan &plan) const;
};

/// `bundle` must have GPU kernels. Deterministic; time nearly linear in the operations.
RunLaunches runLaunches(const Bundle &bundle, const LaunchSite &site);

} // namespace mpf
