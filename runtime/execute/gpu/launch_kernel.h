// Launches a specialised kernel: puts the arguments in the order that emitted kernels take.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/execute/gpu/cuda_device.h"

#include <span>

namespace mpf {

struct LaunchTable {
  CudaDevicePointer address = 0;
  int state = 0; ///< number of its TableState
};

/// Launches a kernel on the device's stream. `tables`: operands, then the result. `states`: the
/// table states on the device. `mode`: bits of kernel_interface.h. Throws Error(Device) with the
/// kernel's name.
void launchKernel(const CudaDevice &device, const BundleKernel &kernel, const CudaKernel &function,
                  std::span<const LaunchTable> tables, CudaDevicePointer states, int mode);

} // namespace mpf
