// The kernels of a bundle on one GPU. Their machine code is there from the beginning, on the host;
// a module is loaded when one of its kernels is asked for first: a program launches its chains or
// their operations, whole runs or parts of them, seldom all.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/schedule/launches/launch_plan.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// Not thread-safe; device and bundle must outlive it. What loads throws Error(Device), and
/// Error(MemoryBound) where the device has no room for a module.
class KernelModules {
public:
  /// `images`: machine code by bundle kernel. `waits`: flags by bundle kernel, CudaKernel::waits.
  KernelModules(const CudaDevice &device, const Bundle &bundle, std::vector<std::string> images,
                const std::vector<char> &waits);

  /// Loads what the launches of a plan take. Whoever records them does it before: a driver may
  /// refuse to load modules in the meantime.
  void load(const LaunchPlan &plan);
  /// A kernel of the bundle with a module of its own.
  CudaKernel specialised(uint32_t kernel);
  /// An entry of the bundle's table-driven kernels.
  CudaKernel tableDriven(const std::string &entry);
  /// The module of the table-driven kernels.
  const CudaModule &tableDrivenModule() { return moduleOf(*bundle_.tableDriven); }

private:
  struct Slot {
    std::string image; ///< empty when it is loaded
    bool waits = false;
    std::optional<CudaModule> module;
    CudaKernel kernel; ///< of a module with one kernel
  };

  const CudaModule &moduleOf(uint32_t kernel);

  const CudaDevice &device_;
  const Bundle &bundle_;
  std::vector<Slot> slots_; ///< by bundle kernel
  std::map<std::string, CudaKernel> tableDriven_;
};

} // namespace mpf
