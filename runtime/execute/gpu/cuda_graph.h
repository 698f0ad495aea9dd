// Launches recorded once and replayed: what the host takes for one launch, 2 to 4 us, is paid once
// for all of them.
#pragma once

#include "runtime/execute/gpu/cuda_device.h"

#include <functional>

namespace mpf {

/// Not thread-safe. The device must outlive it, and so must what the launches name: modules,
/// memory.
class CudaGraph {
public:
  /// Runs `launches`, which may launch kernels, fill and copy on the device's stream but neither
  /// wait nor allocate; nothing of it is done until launch(). Passes on what `launches` throws;
  /// Error(Device) where the driver does not record them.
  CudaGraph(const CudaDevice &device, const std::function<void()> &launches);
  ~CudaGraph();
  CudaGraph(const CudaGraph &) = delete;
  CudaGraph &operator=(const CudaGraph &) = delete;

  /// Ordered on the device's stream.
  void launch() const;

private:
  const CudaDevice &device_;
  CudaGraphExecHandle exec_ = nullptr;
};

} // namespace mpf
