#include "runtime/api/gpu_backend.h"

#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/execute/gpu/gpu_executor.h"

namespace mpf {

std::string gpuBackendUnavailable() { return gpuUnavailableReason(); }

std::string gpuBackendArch() { return CudaDevice::archOf(0); }

std::optional<uint64_t> gpuBackendFreeBytes() {
  if (!gpuUnavailableReason().empty())
    return std::nullopt;
  return CudaDevice().freeBytes();
}

std::unique_ptr<Executor> openGpuBackend(const Bundle &bundle, const SessionOptions &options) {
  GpuOptions gpu;
  gpu.kernels.forbidCompiling = options.forbidCompiling;
  gpu.kernels.threads = options.threads;
  gpu.kernels.dumpFolder = options.dumpKernels;
  gpu.kernels.overrideFolder = options.overrideKernels;
  return makeGpuExecutor(bundle, gpu);
}

} // namespace mpf
