// The guard of runs that nobody looks at: a kernel that holds what a plan assumed against the
// states that its launches have left, and says on the device whether the run is to be repeated
// without the assumption (codegen/emit/preamble/mpf_guard.cuh).
#pragma once

#include "runtime/compile/kernel_store.h"
#include "runtime/execute/gpu/cuda_graph.h"
#include "runtime/execute/gpu/tables/assumption_table.h"

#include <optional>
#include <string>

namespace mpf {

/// The text of the kernel, and a name for it. For f32 or f64.
std::string guardSource(ElementType type);
std::string guardName(ElementType type);

/// A LinearAssumption on the device. Made with a wait.
class GuardTable {
public:
  GuardTable(const CudaDevice &device, const LinearAssumption &assumption);

private:
  friend class GpuGuard;
  DeviceMemory memory_;
  GpuGuardLaunch launch_; ///< without what it reads beside
};

/// Not thread-safe; the device must outlive it. Nothing of it waits.
class GpuGuard {
public:
  /// `states`: device address, by buffer. `brokenInSlices`: of GpuSliceFaults::broken; 0: the
  /// program is not sliced.
  struct Places {
    CudaDevicePointer states = 0, brokenInSlices = 0;
  };
  /// Error(Device) where the driver cannot load the kernel.
  GpuGuard(const CudaDevice &device, const CompiledKernel &kernel, const Places &places);

  /// Sets the condition to whether the assumption did not hold.
  void launch(const GuardTable &table, CudaCondition condition) const;

private:
  const CudaDevice &device_;
  const Places places_;
  const CudaModule module_;
  const CudaKernel kernel_;
};

} // namespace mpf
