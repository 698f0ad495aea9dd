// Launches of one planned kernel on given tables.
#pragma once

#include "codegen/kernel/kernel_plan.h"
#include "runtime/execute/gpu/cuda_device.h"

#include <string>
#include <vector>

namespace mpf::bench {

/// Holds the loaded module and the states of the tables. Not thread-safe; the plan and the device
/// must outlive it.
class GpuLaunch {
public:
  /// `tables`: addresses of the operands, then the result. Entries of operands have exponent -1.
  GpuLaunch(const CudaDevice &device, const KernelPlan &plan, const std::string &cubin,
            std::vector<CudaDevicePointer> tables);

  /// Ordered on the device's stream. Throws Error(Device) naming the kernel.
  void launch();

private:
  const CudaDevice &device_;
  const KernelPlan &plan_;
  CudaModule module_;
  CudaFunctionHandle function_;
  std::vector<CudaDevicePointer> tables_;
  DeviceMemory states_;
};

} // namespace mpf::bench
