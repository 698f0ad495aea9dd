#include "runtime/execute/gpu/compiled_module.h"

#include "runtime/compile/nvrtc_compiler.h"

#include <utility>
#include <vector>

namespace mpf {

std::unique_ptr<CudaModule> compiledModule(const CudaDevice &device,
                                           const KernelStoreOptions &kernels, std::string name,
                                           std::string source, bool waits) {
  KernelStore store(openNvrtcCompiler, kernels);
  const std::vector<CompiledKernel> compiled =
      store.compileAll({{std::move(name), std::move(source), device.properties().arch}});
  return std::make_unique<CudaModule>(device, compiled[0].cubin, waits);
}

KernelStoreOptions forAnyProgram(KernelStoreOptions kernels) {
  kernels.dumpedBehind.clear();
  return kernels;
}

} // namespace mpf
