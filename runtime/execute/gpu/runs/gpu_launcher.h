// Launches the kernels of a plan (runtime/schedule/launches/launch_plan.h) on the device's stream.
// The host decides only whether a chain that is not proven exact runs as one kernel. Chains are
// large: reading the ranges takes some 20 us.
#pragma once

#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/execute/gpu/kernel_modules.h"
#include "runtime/execute/gpu/runs/gpu_arenas.h"
#include "runtime/execute/gpu/runs/gpu_plans.h"
#include "runtime/execute/gpu/runs/gpu_states.h"
#include "runtime/schedule/launches/launch_plan.h"
#include "runtime/schedule/slices/replicate_slices.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace mpf {

/// Not thread-safe; what the constructor takes must outlive it. It waits only to read ranges.
class GpuLauncher {
public:
  GpuLauncher(const CudaDevice &device, const ReplicatedBundle &program, const GpuArenas &arenas,
              const GpuStates &states, KernelModules &kernels);

  /// Begins a run: no chain has run.
  void begin();
  /// Launches, unless a chain has already computed the operation.
  void launch(const GpuPlan &plan, const Launch &launch);
  void launchChain(const BundleChain &chain, WaitPoint wait);
  /// Returns whether the recorded ranges prove linear arithmetic exact. Waits for the operations
  /// before the chain.
  bool isExact(const BundleChain &chain) const;

  /// Makes the next launch begin when all work before it has ended. A kernel may fetch data before
  /// it waits for earlier launches, but kernels of slices write addresses and states, and copies
  /// write inputs.
  void holdNext() { isNextHeld_ = true; }
  void releaseNext() { isNextHeld_ = false; }
  /// Returns whether the next launch may overlap those before it, and releases the one after it.
  bool nextMayOverlap() { return !std::exchange(isNextHeld_, false) && mayOverlap_; }
  /// Allows launches to begin while those before still run. Returns whether they could until now.
  bool setOverlap(bool mayOverlap) { return std::exchange(mayOverlap_, mayOverlap); }

  /// The slice whose addresses launches use; in a pass the first one.
  const SliceStates &slice() const { return slice_; }
  void setSlice(const SliceStates &states);
  void setLoopState(uint32_t loop, uint32_t state) { slice_[loop - 1] = state; }

  /// Returns flags by operation: a chain ran it last. A replayed graph has those of its recording.
  const std::vector<char> &chained() const { return chained_; }
  void setChained(const std::vector<char> &chained) { chained_ = chained; }

private:
  CudaKernel ordered(CudaKernel kernel);
  void launchPlannedChain(const Launch &launch);
  void launchSpecialised(const Launch &launch);
  void launchKernelNumber(uint32_t kernel, const std::vector<const BundleAccess *> &operands,
                          const BundleAccess &result, const SliceStates &states, int mode,
                          WaitPoint wait);
  void launchNormalise(const Launch &launch);
  void launchMapped(const GpuPlan &plan, const Launch &launch);

  const CudaDevice &device_;
  const ReplicatedBundle &program_;
  const Bundle &bundle_; ///< the bundle with all replicas
  const GpuArenas &arenas_;
  const GpuStates &states_;
  KernelModules &kernels_;
  SliceStates slice_;
  std::vector<char> chained_;
  bool isNextHeld_ = false, mayOverlap_ = true;
};

} // namespace mpf
