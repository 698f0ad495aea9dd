#include "dsl/support/check.h"
#include "runtime/machine/gpu_backend.h"

namespace mpf {

void startGpuBackend(uint32_t) noexcept {}

void expectGpuBackend() noexcept {}

void endGpuBackend() {}

bool gpuBackendIsHeld() { return false; }

std::vector<std::pair<std::string_view, double>> gpuBackendStartTimes() { return {}; }

std::string gpuBackendUnavailable(uint32_t) {
  return "this build has no GPU executor (MPF_ENABLE_CUDA is off); --device cpu runs everywhere";
}

std::string gpuBackendFault() { return ""; }

std::string gpuBackendArch(uint32_t) { return ""; }

std::optional<uint64_t> gpuBackendFreeBytes(uint32_t) { return std::nullopt; }

TuningReport tuneGpuKernels(Bundle &, std::span<const TuningCandidates>, const TuningSettings &) {
  fail(ErrorKind::Device, "{}", gpuBackendUnavailable());
}

std::unique_ptr<Executor> openGpuBackend(const Bundle &, const SessionOptions &, const GpuSpeed &) {
  fail(ErrorKind::Device, "{}", gpuBackendUnavailable());
}

CopySpeed measureGpuCopies() { fail(ErrorKind::Device, "{}", gpuBackendUnavailable()); }

} // namespace mpf
