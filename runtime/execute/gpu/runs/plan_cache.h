// Makes the plans of a program on one GPU, with their tables there. A plan stays valid while the
// states of inputs are in the ranges that it was made for; otherwise it is made again.
#pragma once

#include "runtime/execute/gpu/runs/gpu_arenas.h"
#include "runtime/execute/gpu/runs/gpu_kernels.h"
#include "runtime/execute/gpu/runs/gpu_plans.h"
#include "runtime/execute/gpu/runs/gpu_states.h"
#include "runtime/schedule/launches/join_levels.h"
#include "runtime/schedule/slices/replicate_slices.h"
#include "runtime/schedule/transfers/hide_copies.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Not thread-safe; what the constructor takes must outlive it. It waits for the device when it
/// makes a plan.
class PlanCache {
public:
  /// `joins`: levels that share launches, with the device's resident blocks. `copies`: decides
  /// which copies run beside launches.
  PlanCache(const CudaDevice &device, const ReplicatedBundle &program, GpuArenas &arenas,
            const GpuStates &states, GpuKernels &kernels, const JoinOptions &joins,
            const CopySpeed &copies);

  /// Makes a plan the current one: that of the operations `runs` (one flag each), valid for
  /// GpuStates::initial(), with downloads of the results `wanted`, which ascend. Its modules are
  /// loaded.
  GpuPlan &use(const std::vector<char> &runs, const GpuPlans::Kind &kind,
               const std::vector<uint32_t> &wanted);
  GpuPlan &inUse() { return plans_.inUse(); }
  const GpuPlan &inUse() const { return plans_.inUse(); }
  /// Drops all graphs, because memory of their copies or launches has moved.
  void forgetGraphs() { plans_.forgetGraphs(); }

private:
  void complete(GpuPlan &plan, const GpuPlans::Kind &kind, const std::vector<uint32_t> &wanted);
  LaunchPlan launchesFor(const GpuPlans::Kind &kind, const std::vector<TableState> &ranges) const;
  void setLaunches(GpuPlan &plan, LaunchPlan launches);
  void setTransfers(GpuPlan &plan, const GpuPlans::Kind &kind) const;
  std::vector<size_t> resetBuffers() const;

  const CudaDevice &device_;
  const ReplicatedBundle &program_;
  const Bundle &bundle_; ///< the bundle with all replicas
  GpuArenas &arenas_;
  const GpuStates &states_;
  GpuKernels &kernels_;
  const JoinOptions joins_;
  const CopySpeed copies_;
  GpuPlans plans_;
  uint64_t lastNumber_ = 0; ///< the last used GpuPlan::number
};

} // namespace mpf
