#include "runtime/execute/gpu/compiled_module.h"

#include "runtime/compile/nvrtc_compiler.h"

#include <utility>
#include <vector>

namespace mpf {

CompiledKernel compiledText(const CudaDevice &device, const KernelStoreOptions &kernels,
                            std::string name, std::string source) {
  KernelStore store(openNvrtcCompiler, kernels);
  return std::move(
      store.compileAll({{std::move(name), std::move(source), device.properties().arch}}).front());
}

std::unique_ptr<CudaModule> compiledModule(const CudaDevice &device,
                                           const KernelStoreOptions &kernels, std::string name,
                                           std::string source, bool waits) {
  const CompiledKernel compiled = compiledText(device, kernels, std::move(name), std::move(source));
  return std::make_unique<CudaModule>(device, compiled.cubin, waits);
}

KernelStoreOptions forAnyProgram(KernelStoreOptions kernels) {
  kernels.dumpedBehind.clear();
  return kernels;
}

} // namespace mpf
