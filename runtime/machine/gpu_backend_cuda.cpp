#include "runtime/machine/gpu_backend.h"

#include "dsl/support/check.h"
#include "runtime/compile/nvrtc_compiler.h"
#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/execute/gpu/device_start.h"
#include "runtime/execute/gpu/runs/gpu_executor.h"
#include "runtime/execute/gpu/start_times.h"
#include "runtime/execute/gpu/tuning/gpu_tuning_device.h"
#include "runtime/execute/gpu/tuning/measure_copies.h"
#include "runtime/machine/gpu_options_of.h"

namespace mpf {

void startGpuBackend(uint32_t gpu) noexcept { startDevice(static_cast<int>(gpu)); }

void expectGpuBackend() noexcept { expectDevice(); }

void endGpuBackend() { endDevice(); }

bool gpuBackendIsHeld() { return isDeviceHeld(); }

std::vector<std::pair<std::string_view, double>> gpuBackendStartTimes() { return startTimes(); }

std::string gpuBackendUnavailable(uint32_t gpu) {
  return CudaDevice::lack(static_cast<int>(gpu)).reason;
}

std::string gpuBackendFault() {
  const DeviceLack lack = CudaDevice::lack();
  return lack.isFault ? lack.reason : "";
}

std::string gpuBackendArch(uint32_t gpu) { return CudaDevice::archOf(static_cast<int>(gpu)); }

std::optional<uint64_t> gpuBackendFreeBytes(uint32_t gpu) {
  if (!gpuBackendUnavailable(gpu).empty())
    return std::nullopt;
  return CudaDevice(static_cast<int>(gpu)).freeBytes();
}

TuningReport tuneGpuKernels(Bundle &bundle, std::span<const TuningCandidates> candidates,
                            const TuningSettings &settings) {
  // Asking driver and compiler takes longer than looking for stored choices.
  if (candidates.empty() && !TunedKernels::any())
    return {};
  if (const std::string reason = gpuBackendUnavailable(settings.gpu); !reason.empty())
    fail(ErrorKind::Device, "{}", reason);
  KernelStoreOptions storeOptions;
  storeOptions.forbidCompiling = settings.forbidCompiling;
  storeOptions.threads = settings.threads;
  storeOptions.dumpFolder = settings.dumpKernels;
  KernelStore store(openNvrtcCompiler, storeOptions);
  const int gpu = static_cast<int>(settings.gpu);
  TunedKernels choices(
      {CudaDevice::identityOf(gpu), CudaDevice::archOf(gpu), store.compilerVersion()});
  const FlushL2Kernel flush{settings.flush, settings.flushedBytes, settings.flushResultBytes};
  return tuneKernels(bundle, candidates, choices, [&](const Bundle &now) {
    return makeGpuTuningDevice(now, flush, store, gpu);
  });
}

std::unique_ptr<Executor> openGpuBackend(const Bundle &bundle, const SessionOptions &options,
                                         const GpuSpeed &speed) {
  GpuOptions gpu = gpuOptionsOf(options);
  gpu.joins.which = joinLevelsNamed(options.resident);
  gpu.joins.speed = speed;
  gpu.copies = options.hidesCopies ? speed.copies : withoutHiding(speed.copies);
  gpu.slicesAtOnce = options.slicesAtOnce;
  return makeGpuExecutor(bundle, gpu);
}

CopySpeed measureGpuCopies() {
  const CudaDevice device(0);
  return measureCopies(device);
}

} // namespace mpf
