#include "runtime/api/open_executor.h"

#include "runtime/api/check_session.h"
#include "runtime/api/choose_device.h"
#include "runtime/api/gpu_backend.h"
#include "runtime/api/process_memory.h"
#include "runtime/execute/cpu_executor.h"

namespace mpf {

namespace {

/// Asked last: it opens the GPU.
bool fitsGpu(const Bundle &bundle) {
  return tableBytes(bundle) <= gpuTableBytes(gpuBackendFreeBytes().value_or(0));
}

} // namespace

OpenedExecutor openExecutor(const Bundle &bundle, const SessionOptions &options) {
  checkSession(options);
  if (options.device == "gpu" && !bundle.tableDriven)
    fail(ErrorKind::Device, "{} was compiled for the CPU only; name a GPU when compiling it",
         bundle.name);
  if (options.device == "gpu" && bundle.foreignKernels)
    fail(ErrorKind::BadInput,
         "the GPU kernels of {} come from a file, and this program has no compiler to check them "
         "with: link mpf::jit, run on the CPU, or take them as they are with LoadOptions::trust",
         bundle.name);
  const bool gpu =
      options.device == "gpu" ||
      (options.device == "auto" && bundle.tableDriven && !bundle.foreignKernels &&
       gpuWanted(bundle, hostBytes()) && gpuBackendUnavailable().empty() && fitsGpu(bundle));
  if (gpu)
    return {openGpuBackend(bundle, options), StepDevice::Gpu};
  requireMemory(bundle, options.threads);
  CompiledKernelOptions own;
  own.expectedRuns = options.expectedRuns;
  own.forbidCompiling = options.forbidCompiling;
  own.threads = options.threads;
  return {makeCpuExecutor(bundle, {options.threads, own}), StepDevice::Cpu};
}

} // namespace mpf
