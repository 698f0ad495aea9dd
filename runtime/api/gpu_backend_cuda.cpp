#include "runtime/api/gpu_backend.h"

#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/execute/gpu/gpu_executor.h"

namespace mpf {

std::string gpuBackendUnavailable() { return gpuUnavailableReason(); }

std::string gpuBackendArch() {
  return gpuUnavailableReason().empty() ? CudaDevice().properties().arch : "";
}

std::unique_ptr<Executor> openGpuBackend(const Bundle &bundle, const SessionOptions &options) {
  GpuOptions gpu;
  gpu.kernels.forbidCompiling = options.forbidCompiling;
  return makeGpuExecutor(bundle, gpu);
}

} // namespace mpf
