#include "tools/mpfc/memory_bound.h"

#include "runtime/api/jit_memory.h"

namespace mpf::driver {

Options withMemoryBound(Options options) {
  if (options.maxMemoryBytes) {
    options.memorySource = "--max-memory";
    return options;
  }
  MemoryBound bound = machineMemory(options.device, options.target);
  options.maxMemoryBytes = bound.bytes;
  options.memorySource = std::move(bound.source);
  options.largerMemory = largerMemory(options.device);
  return options;
}

} // namespace mpf::driver
