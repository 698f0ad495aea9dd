// Launches one planned kernel; each launch names its tables.
#pragma once

#include "codegen/bundle/kernel_interface.h"
#include "codegen/kernel/kernel_plan.h"
#include "runtime/compile/compiler.h"
#include "runtime/execute/gpu/cuda_device.h"

#include <span>
#include <string>

namespace mpf::bench {

/// Holds the loaded module and the states of the tables. Not thread-safe; the plan and the device
/// must outlive it.
class GpuLaunch {
public:
  /// Loads a kernel. The states of operands are set for entries of exponent -1 (bucket_values.h).
  GpuLaunch(const CudaDevice &device, const KernelPlan &plan, const CompiledKernel &kernel);

  /// Loads a kernel whose only operand is the result of `before`, which must outlive it.
  GpuLaunch(const CudaDevice &device, const KernelPlan &plan, const CompiledKernel &kernel,
            const GpuLaunch &before);

  /// Returns TableState::scale of the result, after a launch has ended.
  int resultScale() const;

  /// Launches the kernel on the device's stream. `tables`: the addresses of the operands, then of
  /// the result. `wait`: when the kernel waits for earlier launches. Throws Error(Device), with the
  /// kernel's name.
  void launch(std::span<const CudaDevicePointer> tables, WaitPoint wait = WaitPoint::Begin);

private:
  const CudaDevice &device_;
  const KernelHeader &plan_;
  CudaModule module_;
  CudaKernel function_;
  const GpuLaunch *before_ = nullptr; ///< the launch whose states this one shares, or null
  DeviceMemory states_;
  CudaDevicePointer statesAddress_ = 0;
  size_t firstState_ = 0; ///< index of the first operand's state; the other tables' follow
  size_t operands_ = 0;
};

} // namespace mpf::bench
