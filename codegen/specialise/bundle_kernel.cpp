#include "codegen/specialise/bundle_kernel.h"

#include "codegen/emit/emit_cuda.h"
#include "codegen/kernel/print_kernel.h"

#include <algorithm>
#include <string_view>

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
  double launchUs = 0;
  for (const CostTerm &term : plan.header().costTerms)
    if (term.name == std::string_view("launch"))
      launchUs = term.timeUs;
  kernel.predictedUs = std::max(0.0, plan.header().predictedUs - launchUs);
  return kernel;
}

} // namespace mpf
