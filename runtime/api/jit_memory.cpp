#include "runtime/api/jit_memory.h"

#include "codegen/kernel/target.h"
#include "runtime/api/gpu_backend.h"
#include "runtime/api/host_memory.h"
#include "runtime/api/jit_gpu.h"

#include <algorithm>
#include <fmt/core.h>

namespace mpf {

namespace {

uint64_t withoutReserve(uint64_t bytes) {
  return steadyBytes(bytes - std::min(bytes, kGpuReserveBytes));
}

/// Of this machine's GPU.
std::optional<MemoryBound> gpuMemory() {
  const std::optional<uint64_t> bytes = gpuBackendFreeBytes();
  if (!bytes)
    return std::nullopt;
  return MemoryBound{withoutReserve(*bytes), "free memory of this machine's GPU"};
}

} // namespace

MemoryBound machineMemory(const std::string &device, const std::string &arch) {
  if (device != "gpu") {
    const HostMemory memory = hostMemory();
    return {steadyBytes(memory.availableBytes), memory.source};
  }
  if (std::optional<MemoryBound> bound = gpuMemory())
    return *bound;
  const Target target = targetNamed(arch.empty() ? kReferenceTarget : arch);
  return {withoutReserve(target.memoryBytes),
          fmt::format("memory of {}; this machine has no GPU", target.name)};
}

std::function<std::optional<MemoryBound>()> largerMemory(const std::string &device) {
  if (device != "auto")
    return {};
  return [] { return plannerKnowsGpu() ? gpuMemory() : std::nullopt; };
}

} // namespace mpf
