// The kernels of a program on one GPU: those of the bundle, and those that lead a run through its
// slices.
#pragma once

#include "runtime/compile/kernel_store.h"
#include "runtime/execute/gpu/gpu_slice_kernels.h"
#include "runtime/execute/gpu/kernel_modules.h"
#include "runtime/execute/gpu/runs/gpu_states.h"
#include "runtime/schedule/slices/replicate_slices.h"

#include <optional>
#include <vector>

namespace mpf {

/// True if the device leads runs through slices. Without a compiler, a bundle with machine code
/// still runs, but the host leads.
bool deviceLeads(const Bundle &bundle);

/// Not thread-safe; device and program must outlive it.
class GpuKernels {
public:
  /// Compiles the kernels that the bundle has no machine code for, or loads them from the cache.
  GpuKernels(const CudaDevice &device, const ReplicatedBundle &program, KernelStore &store,
             const GpuStates &states);
  GpuKernels(const GpuKernels &) = delete;
  GpuKernels &operator=(const GpuKernels &) = delete;

  KernelModules &modules() { return *modules_; }
  /// Returns the kernels of slices; null if the device does not lead.
  const SliceKernels *slices() const { return slices_ ? &*slices_ : nullptr; }
  /// Returns CudaKernel::waits by kernel of the bundle.
  const std::vector<char> &waits() const { return waits_; }

private:
  std::vector<char> waits_;
  std::optional<SliceKernels> slices_;
  std::optional<KernelModules> modules_; ///< set by the constructor
};

} // namespace mpf
