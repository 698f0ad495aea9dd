#include "tools/mpfc/memory_bound.h"

#include "codegen/kernel/target.h"
#include "runtime/api/gpu_backend.h"
#include "runtime/api/host_memory.h"

#include <fmt/core.h>

namespace mpf::driver {

namespace {

struct Bound {
  uint64_t bytes = 0;
  std::string source;
};

Bound gpuBound(const Options &options) {
  uint64_t bytes = gpuBackendFreeBytes();
  std::string source = "free memory of this machine's GPU";
  if (bytes == 0) {
    const Target target = targetNamed(options.target.empty() ? "sm_90" : options.target);
    bytes = target.memoryBytes;
    source = fmt::format("memory of {}; this machine has no GPU", target.name);
  }
  return {steadyBytes(bytes - std::min(bytes, kGpuReserveBytes)), source};
}

Bound hostBound() {
  const HostMemory memory = hostMemory();
  return {steadyBytes(memory.availableBytes), memory.source};
}

} // namespace

Options withMemoryBound(Options options) {
  if (options.maxMemoryBytes) {
    options.memorySource = "--max-memory";
    return options;
  }
  Bound bound = options.device == "gpu" ? gpuBound(options) : hostBound();
  options.maxMemoryBytes = bound.bytes;
  options.memorySource = std::move(bound.source);
  return options;
}

} // namespace mpf::driver
