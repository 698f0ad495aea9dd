// Launches that are recorded once and replayed as a CUDA graph. A replay costs the host the time of
// one launch, 2 to 4 us, instead of that time for each launch.
#pragma once

#include "runtime/execute/gpu/cuda_device.h"

#include <functional>

namespace mpf {

/// Not thread-safe. The device, and the modules and memory that the launches use, must outlive it.
class CudaGraph {
public:
  /// Calls `launches` and records what it does on the device's stream: it may launch kernels, fill
  /// and copy, but neither wait nor allocate. Nothing runs on the device before launch(). Passes on
  /// what `launches` throws; throws Error(Device) when the driver cannot record.
  CudaGraph(const CudaDevice &device, const std::function<void()> &launches);
  /// Records `launches`, whose last kernel sets the condition that it is given
  /// (codegen/emit/preamble/mpf_guard.cuh), and `branch`: a replay runs that behind them where the
  /// condition is not 0. The device decides; the host is not asked. Throws Error(Device) also where
  /// the driver knows no branches (branches() is false).
  CudaGraph(const CudaDevice &device, const std::function<void(CudaCondition)> &launches,
            const std::function<void()> &branch);
  static bool branches(const CudaDevice &device) { return device.driver().branchesGraphs; }
  ~CudaGraph();
  CudaGraph(const CudaGraph &) = delete;
  CudaGraph &operator=(const CudaGraph &) = delete;

  /// Replays the launches, ordered on the device's stream. Does not wait.
  void launch() const;

private:
  const CudaDevice &device_;
  CudaGraphExecHandle exec_ = nullptr;
};

} // namespace mpf
