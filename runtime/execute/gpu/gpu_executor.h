// The GPU executor: driver API and cubins, both opened at run time.
#pragma once

#include "runtime/compile/kernel_store.h"
#include "runtime/execute/host/executor.h"

#include <memory>

namespace mpf {

struct GpuOptions {
  int ordinal = 0; ///< which of the machine's GPUs
  KernelStoreOptions kernels;
};

/// Opens the device, compiles (or loads from the cache) the bundle's kernels, takes the arenas.
/// Error(Device) saying what is missing; Error(MemoryBound) when the arenas do not fit.
std::unique_ptr<Executor> makeGpuExecutor(const Bundle &bundle, const GpuOptions &options = {});

/// Empty when makeGpuExecutor can work here; otherwise one sentence saying why not.
std::string gpuUnavailableReason();

} // namespace mpf
