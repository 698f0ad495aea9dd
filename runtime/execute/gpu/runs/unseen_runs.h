// The unseen runs of a program, whose results the host does not examine. Their launches assume that
// linear arithmetic is exact, as those of other runs do. The device then checks the assumption. If
// it did not hold, a branch of the same CUDA graph runs everything again by the careful plan,
// without the assumption. Both plans begin with equal inputs and states, which no launch writes.
#pragma once

#include "runtime/compile/kernel_store.h"
#include "runtime/execute/gpu/gpu_guard.h"
#include "runtime/execute/gpu/gpu_slice_kernels.h"
#include "runtime/execute/gpu/runs/assuming_runs.h"
#include "runtime/execute/gpu/runs/driver_refusals.h"
#include "runtime/execute/gpu/runs/run_player.h"
#include "runtime/execute/gpu/runs/run_setup.h"
#include "runtime/result/device_run.h"

#include <optional>

namespace mpf {

/// Not thread-safe; what the constructor takes must outlive it. The host waits only when it makes a
/// plan.
class UnseenRuns {
public:
  /// `slices`: null if no kernels lead through slices.
  UnseenRuns(const CudaDevice &device, const Bundle &bundle, const GpuStates &states,
             const SliceKernels *slices, GpuLauncher &launcher, RunSetup &setup, RunPlayer &player,
             AssumingRuns &assuming, DriverRefusals &refusals);

  /// Compiles the guard, once. Without a guard nothing is assumed. Throws Error(Device) as
  /// KernelStore::compileAll, but not if the driver knows no conditions.
  void compileGuard(KernelStore &store);
  /// Starts a run of the chosen operations. Nothing is downloaded.
  void start();
  /// Returns the launches of the last run.
  DeviceRunLaunches launches() const { return launches_; }

private:
  bool startGuarded();
  void recordGuarded(GpuPlan &assuming, GpuPlan &careful);

  const CudaDevice &device_;
  const Bundle &bundle_;
  const GpuStates &states_;
  const SliceKernels *const slices_;
  GpuLauncher &launcher_;
  RunSetup &setup_;
  RunPlayer &player_;
  AssumingRuns &assuming_;
  DriverRefusals &refusals_;
  std::optional<GpuGuard> guard_; ///< set by compileGuard
  DeviceRunLaunches launches_;
};

} // namespace mpf
