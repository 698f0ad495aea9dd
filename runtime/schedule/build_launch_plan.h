// Bundle and the ranges of its inputs -> LaunchPlan.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_state.h"
#include "runtime/schedule/launch_plan.h"

#include <vector>

namespace mpf {

struct LaunchOptions {
  /// By buffer; read for inputs: what proves linear arithmetic exact (range_bounds.h).
  std::vector<TableState> inputStates;
  /// By operation: which are to run. Empty: all.
  std::vector<char> runs = {};
  /// By kernel of the bundle: waits for the launches before it by itself (startsByWaiting).
  std::vector<char> waits = {};
  uint32_t multiprocessors = 1; ///< of the device
  /// Small operations share launches, and chains run as one kernel. Not where the result of each
  /// operation is looked at.
  bool grouped = true;
};

/// Sums over slices are not among the launches: the executor adds them up. Deterministic; time
/// linear in the operations.
LaunchPlan buildLaunchPlan(const Bundle &bundle, const LaunchOptions &options);

/// By kernel: whether the source of the bundle waits by itself.
std::vector<char> waitingKernels(const Bundle &bundle);

/// By buffer: the ranges of the inputs' values, whatever is observed. Of what the host program
/// binds nothing is known: the widest that the element type has.
std::vector<TableState> rangesOfInputs(const Bundle &bundle);

/// Whether all operations of a chain are to run.
bool runsWhole(const BundleChain &chain, const std::vector<char> &runs);

} // namespace mpf
