// Builds the launch plan (launch_plan.h) of a bundle from the ranges of its inputs' values.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_state.h"
#include "runtime/schedule/launches/join_levels.h"
#include "runtime/schedule/launches/launch_plan.h"

#include <vector>

namespace mpf {

struct LaunchOptions {
  /// Ranges of values, one per buffer; only those of inputs are read. They decide where linear
  /// arithmetic is proven exact (range_bounds.h).
  std::vector<TableState> inputStates;
  /// One flag per operation: whether it runs. Empty: all run.
  std::vector<char> runs = {};
  /// One flag per kernel of the bundle: whether the kernel itself waits for earlier launches
  /// (waitingKernels).
  std::vector<char> waits = {};
  uint32_t multiprocessors = 1; ///< number of multiprocessors of the device
  /// Whether operations of a level share launches, and chains run as one kernel. Otherwise each
  /// operation has separate launches, in the bundle's order, so that its result can be read before
  /// its memory is used again.
  bool grouped = true;
  /// Whether the plan assumes linear arithmetic to be exact where that is not proven
  /// (linear_assumption.h). Bundles that must not assume it ignore this flag.
  bool assumesLinear = false;
  /// Whether the host may read recorded ranges between launches (LaunchPlan::hostDecides).
  /// Otherwise the operations of a chain that is not proven exact have separate launches.
  bool hostLooks = true;
  /// Options for levels that share a launch whose blocks wait for each other; for grouped launches.
  JoinOptions joins = {};
};

/// Returns the launch plan of a bundle. The executor adds the launches that enter slices or add
/// them up. Deterministic; time nearly linear in the operations.
LaunchPlan buildLaunchPlan(const Bundle &bundle, const LaunchOptions &options);

/// Returns one flag per kernel of the bundle: whether its source waits for earlier launches.
std::vector<char> waitingKernels(const Bundle &bundle);

/// Returns the ranges of the inputs' values, one per buffer, valid for any evidence. Inputs that
/// the host program binds get the widest range of the element type.
std::vector<TableState> rangesOfInputs(const Bundle &bundle);

/// Whether all operations of a chain run.
bool runsWhole(const BundleChain &chain, const std::vector<char> &runs);

} // namespace mpf
