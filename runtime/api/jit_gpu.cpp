#include "runtime/api/jit_gpu.h"

#include "runtime/api/choose_device.h"
#include "runtime/api/gpu_backend.h"
#include "runtime/api/host_memory.h"

#include <algorithm>

namespace mpf {

namespace {

bool plannerKnows(const std::string &arch) {
  const std::vector<std::string> known = gpuTargetNames();
  return std::find(known.begin(), known.end(), arch) != known.end();
}

} // namespace

GpuChoice chooseGpu(const std::string &device, double expectedRuns) {
  return [device, expectedRuns](const Bundle &bundle) -> std::optional<SpecialiseOptions> {
    if (device == "cpu" || (device != "gpu" && !gpuWanted(bundle, hostMemory().availableBytes)))
      return std::nullopt;
    if (device == "gpu" && !gpuBackendUnavailable().empty())
      fail(ErrorKind::Device, "{}", gpuBackendUnavailable());
    const std::string arch = gpuBackendArch();
    if (device != "gpu" && !plannerKnows(arch))
      return std::nullopt;
    return SpecialiseOptions{targetNamed(arch), expectedRuns};
  };
}

bool plannerKnowsGpu() { return gpuBackendUnavailable().empty() && plannerKnows(gpuBackendArch()); }

GpuChoice gpuNamed(const std::string &arch, double expectedRuns) {
  const SpecialiseOptions options{targetNamed(arch), expectedRuns};
  return [options](const Bundle &) { return std::optional(options); };
}

} // namespace mpf
