// Launches that are recorded once and replayed as a CUDA graph. A replay costs the host the time of
// one launch, 2 to 4 us, instead of that time for each launch.
#pragma once

#include "runtime/execute/gpu/cuda_device.h"

#include <functional>

namespace mpf {

/// Not thread-safe. The device, and the modules and memory that the launches use, must outlive it.
class CudaGraph {
public:
  /// Calls `launches` and records its work on the device's stream. It may launch kernels, fill and
  /// copy, but neither wait nor allocate. Nothing runs on the device before launch(). Passes on
  /// exceptions of `launches`; throws Error(Device) when the driver cannot record.
  CudaGraph(const CudaDevice &device, const std::function<void()> &launches);
  /// Records `launches`, whose last kernel sets the given condition
  /// (codegen/emit/preamble/mpf_guard.cuh), and `branch`. A replay runs `branch` after them if the
  /// condition is not 0. The device decides without the host. Throws Error(Device) also if the
  /// driver knows no branches (branches() is false).
  CudaGraph(const CudaDevice &device, const std::function<void(CudaCondition)> &launches,
            const std::function<void()> &branch);
  static bool branches(const CudaDevice &device) { return device.driver().branchesGraphs; }
  ~CudaGraph();
  CudaGraph(const CudaGraph &) = delete;
  CudaGraph &operator=(const CudaGraph &) = delete;

  /// Replays the launches on the device's stream. Does not wait.
  void launch() const;

private:
  const CudaDevice &device_;
  CudaGraphExecHandle exec_ = nullptr;
};

} // namespace mpf
