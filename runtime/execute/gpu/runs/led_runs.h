// The runs of a program that the host leads: through slices operation by operation, or with each
// launch measured or each result examined.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_state.h"
#include "runtime/execute/gpu/runs/assuming_runs.h"
#include "runtime/execute/gpu/runs/run_player.h"
#include "runtime/execute/gpu/runs/run_setup.h"
#include "runtime/schedule/walk_steps.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace mpf {

/// Not thread-safe; what the constructor takes must outlive it. Operations are numbered as in the
/// given bundle.
class LedRuns {
public:
  LedRuns(const CudaDevice &device, const ReplicatedBundle &program, GpuArenas &arenas,
          const GpuStates &states, GpuLauncher &launcher, RunSetup &setup, const RunPlayer &player,
          AssumingRuns &assuming);

  /// Begins a run through slices: the caller then calls enterSlice and runOperation for every
  /// operation of every slice in the schedule. The executor does the accumulations: it reads a
  /// table and writes the sum back. `grouped`: operations of a level or chain share launches; false
  /// if each is examined.
  void beginSlices(bool grouped);
  /// Moves the inputs to this slice and prepares the results that its loops compute again. Does
  /// nothing if it is the current slice.
  void enterSlice(const SliceStates &states);
  /// Launches the operation, with those that share its launch or precede it in the plan. Does
  /// nothing if it has been launched already. With `timeUs` it waits and adds the device time.
  void runOperation(uint32_t index, double *timeUs = nullptr);

  /// Runs all operations, waits, and measures each launch with events, which is slower. Returns the
  /// device time of each operation in microseconds; the time of a launch is divided among its
  /// operations.
  std::vector<double> runMeasured();
  struct StepwiseCalls {
    std::function<void(uint32_t)> before, after; ///< called with the index of each operation
  };
  /// Runs all operations one by one, without chains. Calls `before` of an operation when those
  /// before it have been started, and `after` when it has ended. Checks use it to read tables
  /// before their memory is used again.
  void runStepwise(const StepwiseCalls &calls);
  /// Runs a chain as one kernel, if it would run so, and returns the bytes of its result with their
  /// state. Must be called before the chain's first operation. Resets the state of the result
  /// afterwards, so that the operations can run one by one.
  std::optional<std::vector<std::byte>> tryChain(const BundleChain &given, TableState &state);
  /// Returns how operation `index` ran last: "specialised", "table-driven", "chain".
  const char *pathName(uint32_t index) const;

private:
  void resetLoops(uint32_t loop);

  const CudaDevice &device_;
  const ReplicatedBundle &program_;
  const Bundle &bundle_; ///< the bundle with all replicas
  GpuArenas &arenas_;
  const GpuStates &states_;
  GpuLauncher &launcher_;
  RunSetup &setup_;
  const RunPlayer &player_;
  AssumingRuns &assuming_;
  size_t nextLaunch_ = 0; ///< next launch of the stretch
};

} // namespace mpf
