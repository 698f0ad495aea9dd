// Launches of one planned kernel on tables that each launch names.
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
  /// Entries of operands have exponent -1.
  GpuLaunch(const CudaDevice &device, const KernelPlan &plan, const CompiledKernel &kernel);

  /// A kernel whose one operand is the result of `before`, which must outlive it.
  GpuLaunch(const CudaDevice &device, const KernelPlan &plan, const CompiledKernel &kernel,
            const GpuLaunch &before);

  /// The exponent of the result's scale, once launched and synchronized.
  int resultScale() const;

  /// `tables`: addresses of the operands, then the result. Ordered on the device's stream, and
  /// waits as `wait` says for the launches before. Throws Error(Device) naming the kernel.
  void launch(std::span<const CudaDevicePointer> tables, WaitPoint wait = WaitPoint::Begin);

private:
  const CudaDevice &device_;
  const KernelHeader &plan_;
  CudaModule module_;
  CudaKernel function_;
  const GpuLaunch *before_ = nullptr; ///< whose states these are
  DeviceMemory states_;
  CudaDevicePointer statesAddress_ = 0;
  size_t firstState_ = 0; ///< of the first operand; those of the other tables follow
  size_t operands_ = 0;
};

} // namespace mpf::bench
