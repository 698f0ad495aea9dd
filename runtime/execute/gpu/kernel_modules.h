// The kernels of a bundle on one GPU. The host has their machine code from the beginning. A module
// is loaded at the first request for one of its kernels, because programs rarely launch all: they
// use chains or their operations, whole runs or parts.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/schedule/launches/launch_plan.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// Not thread-safe; device and bundle must outlive it. Functions that load throw Error(Device), and
/// Error(MemoryBound) if the device has no room for a module.
class KernelModules {
public:
  /// Takes the machine code (`images`) and CudaKernel::waits (`waits`), both by bundle kernel.
  KernelModules(const CudaDevice &device, const Bundle &bundle, std::vector<std::string> images,
                const std::vector<char> &waits);

  /// Loads the kernels of a plan. Call it before recording the plan, because a driver may refuse to
  /// load modules meanwhile.
  void load(const LaunchPlan &plan);
  /// Returns a kernel of the bundle with a separate module.
  CudaKernel specialised(uint32_t kernel);
  /// Returns an entry of the bundle's table-driven kernels.
  CudaKernel tableDriven(const std::string &entry);
  /// Returns the module of the table-driven kernels.
  const CudaModule &tableDrivenModule() { return moduleOf(*bundle_.tableDriven); }

private:
  struct Slot {
    std::string image; ///< empty after loading
    bool waits = false;
    std::optional<CudaModule> module;
    CudaKernel kernel; ///< kernel of a module with one kernel
  };

  const CudaModule &moduleOf(uint32_t kernel);

  const CudaDevice &device_;
  const Bundle &bundle_;
  std::vector<Slot> slots_; ///< by bundle kernel
  std::map<std::string, CudaKernel> tableDriven_;
};

} // namespace mpf
