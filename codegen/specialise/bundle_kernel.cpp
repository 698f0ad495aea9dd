#include "codegen/specialise/bundle_kernel.h"

#include <utility>

namespace mpf {

BundleKernel bundleKernel(std::string name, std::string plan, std::string source,
                          const LaunchShape &launch) {
  BundleKernel kernel;
  kernel.name = std::move(name);
  kernel.plan = std::move(plan);
  kernel.source = std::move(source);
  kernel.gridBlocks = launch.gridBlocks;
  kernel.blockThreads = launch.blockThreads;
  kernel.sharedBytes = launch.sharedBytes;
  return kernel;
}

bool slicesAreAligned(const BundleOperation &operation, ElementType type) {
  constexpr uint64_t kWidestLoadBytes = 16;
  for (const BundleAccess &access : operation.operands)
    for (const uint64_t stride : access.sliceStridesElems)
      if (stride * elementBytes(type) % kWidestLoadBytes != 0)
        return false;
  return true;
}

} // namespace mpf
