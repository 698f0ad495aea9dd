// The guard of unseen runs, whose results the host does not examine. The guard is a kernel that
// compares a plan's assumption with the states that its launches have left. It decides on the
// device whether the run is repeated without the assumption (codegen/emit/preamble/mpf_guard.cuh).
#pragma once

#include "runtime/compile/kernel_store.h"
#include "runtime/execute/gpu/cuda_graph.h"
#include "runtime/execute/gpu/tables/assumption_table.h"

#include <optional>
#include <string>

namespace mpf {

/// Return the text of the kernel and its name, for f32 or f64.
std::string guardSource(ElementType type);
std::string guardName(ElementType type);

/// A LinearAssumption on the device. The constructor waits for the device.
class GuardTable {
public:
  GuardTable(const CudaDevice &device, const LinearAssumption &assumption);

private:
  friend class GpuGuard;
  DeviceMemory memory_;
  GpuGuardLaunch launch_; ///< without the addresses of GpuGuard
};

/// Not thread-safe; the device must outlive it. Its functions do not wait for the device.
class GpuGuard {
public:
  /// Device addresses: `states` by buffer; `brokenInSlices` of GpuSliceFaults::broken, or 0 if the
  /// program is not sliced.
  struct Places {
    CudaDevicePointer states = 0, brokenInSlices = 0;
  };
  /// Throws Error(Device) if the driver cannot load the kernel.
  GpuGuard(const CudaDevice &device, const CompiledKernel &kernel, const Places &places);

  /// Launches the kernel, which sets the condition if the assumption did not hold.
  void launch(const GuardTable &table, CudaCondition condition) const;

private:
  const CudaDevice &device_;
  const Places places_;
  const CudaModule module_;
  const CudaKernel kernel_;
};

} // namespace mpf
