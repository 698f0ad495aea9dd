#include "runtime/execute/gpu/kernel_modules.h"

#include "dsl/support/check.h"
#include "runtime/schedule/launches/launch_use.h"

#include <utility>

namespace mpf {

KernelModules::KernelModules(const CudaDevice &device, const Bundle &bundle,
                             std::vector<std::string> images, const std::vector<char> &waits)
    : device_(device), bundle_(bundle), slots_(images.size()) {
  MPF_CHECK(images.size() == bundle.kernels.size() && waits.size() == images.size(),
            "{} images and {} flags for {} kernels", images.size(), waits.size(),
            bundle.kernels.size());
  for (size_t i = 0; i < slots_.size(); ++i) {
    slots_[i].image = std::move(images[i]);
    slots_[i].waits = waits[i] != 0;
  }
}

const CudaModule &KernelModules::moduleOf(uint32_t kernel) {
  Slot &slot = slots_[kernel];
  if (!slot.module) {
    slot.module.emplace(device_, slot.image, slot.waits);
    slot.image = std::string();
  }
  return *slot.module;
}

CudaKernel KernelModules::specialised(uint32_t kernel) {
  MPF_CHECK(kernel != bundle_.tableDriven, "kernel {} is table-driven", kernel);
  Slot &slot = slots_[kernel];
  if (slot.kernel.function == nullptr) {
    const BundleKernel &bundled = bundle_.kernels[kernel];
    slot.kernel = moduleOf(kernel).function(bundled.name, bundled.sharedBytes);
  }
  return slot.kernel;
}

CudaKernel KernelModules::tableDriven(const std::string &entry) {
  CudaKernel &kernel = tableDriven_[entry];
  if (kernel.function == nullptr)
    kernel = tableDrivenModule().function(entry, 0);
  return kernel;
}

void KernelModules::load(const LaunchPlan &plan) {
  for (const Launch &launch : plan.launches)
    switch (launch.kind) {
    case LaunchKind::Specialised:
      specialised(*bundle_.operations[launch.first].kernel);
      break;
    case LaunchKind::Chain:
      specialised(chainAt(bundle_, launch.first)->kernel);
      break;
    case LaunchKind::Normalise:
      tableDriven("mpf_normalise");
      break;
    case LaunchKind::Fallback:
    case LaunchKind::Level:
      tableDriven("mpf_level");
      break;
    }
}

} // namespace mpf
