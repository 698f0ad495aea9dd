// Evicts L2 before each timed run: launches the kernel of codegen/specialise/flush_l2_kernel.h.
#pragma once

#include "runtime/compile/kernel_store.h"
#include "runtime/execute/gpu/cuda_device.h"
#include "tools/mpf-bench/measure/gpu_launch.h"

#include <memory>
#include <vector>

namespace mpf::bench {

/// Not thread-safe. The device must outlive it.
class FlushL2 {
public:
  FlushL2(const CudaDevice &device, KernelStore &store);
  void launch() { launch_->launch(tables_); }

private:
  KernelPlan plan_;
  DeviceMemory source_, result_;
  std::vector<CudaDevicePointer> tables_;
  std::unique_ptr<GpuLaunch> launch_;
};

} // namespace mpf::bench
