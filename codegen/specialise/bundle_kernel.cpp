#include "codegen/specialise/bundle_kernel.h"

#include "codegen/emit/emit_cuda.h"
#include "codegen/kernel/print_kernel.h"

namespace mpf {

BundleKernel bundleKernel(const KernelPlan &plan) {
  const LaunchShape &launch = plan.header().launch;
  BundleKernel kernel;
  kernel.name = plan.header().name;
  kernel.plan = printKernel(plan);
  kernel.source = cudaSource(plan);
  kernel.gridBlocks = launch.gridBlocks;
  kernel.blockThreads = launch.blockThreads;
  kernel.sharedBytes = launch.sharedBytes;
  kernel.predictedUs = plan.header().predictedUs;
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
