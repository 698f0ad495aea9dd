// Builds the launch plan (launch_plan.h) of a bundle from the ranges of its inputs' values.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_state.h"
#include "runtime/schedule/launches/join_levels.h"
#include "runtime/schedule/launches/launch_plan.h"

#include <vector>

namespace mpf {

struct LaunchOptions {
  /// One per buffer; only those of inputs are read. They decide where linear arithmetic is proven
  /// exact (range_bounds.h).
  std::vector<TableState> inputStates;
  /// One per operation: whether it runs. Empty: all run.
  std::vector<char> runs = {};
  /// One per kernel of the bundle: whether the kernel itself waits for earlier launches
  /// (waitingKernels).
  std::vector<char> waits = {};
  uint32_t multiprocessors = 1; ///< number of them on the device
  /// Operations of a level share launches, and chains run as one kernel. Where it is false, each
  /// operation has launches of its own, in the bundle's order: so its result can be read before its
  /// memory is used again.
  bool grouped = true;
  /// The plan assumes that linear arithmetic is exact where that is not proven
  /// (linear_assumption.h), in bundles that may assume it.
  bool assumesLinear = false;
  /// The host may read recorded ranges between launches (LaunchPlan::hostDecides). Where it does
  /// not, operations of a chain that is not proven exact have launches of their own.
  bool hostLooks = true;
  /// Of grouped launches: which levels share a launch whose blocks wait for each other.
  JoinOptions joins = {};
};

/// Deterministic; time nearly linear in the operations. The plan has no launches that enter
/// slices or add them up: these are the executor's.
LaunchPlan buildLaunchPlan(const Bundle &bundle, const LaunchOptions &options);

/// One per kernel of the bundle: whether its source waits for earlier launches itself.
std::vector<char> waitingKernels(const Bundle &bundle);

/// One per buffer: the ranges of the inputs' values, valid for any evidence. Inputs that the host
/// program binds get the widest range of the element type.
std::vector<TableState> rangesOfInputs(const Bundle &bundle);

/// Whether all operations of a chain are to run.
bool runsWhole(const BundleChain &chain, const std::vector<char> &runs);

} // namespace mpf
