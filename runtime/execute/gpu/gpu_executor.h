// The GPU executor. It uses the CUDA driver API, opened at run time, and loads cubins.
#pragma once

#include "runtime/compile/kernel_store.h"
#include "runtime/execute/host/executor.h"
#include "runtime/schedule/launches/join_levels.h"
#include "runtime/schedule/transfers/hide_copies.h"

#include <memory>

namespace mpf {

class ThreadPool;

struct GpuOptions {
  int ordinal = 0; ///< which of the machine's GPUs
  KernelStoreOptions kernels;
  ThreadPool *pool = nullptr; ///< for what the host does of lists of cases; null: the caller alone
  JoinOptions joins; ///< which levels share a launch; the device says how many blocks are resident
  CopySpeed copies;  ///< by which copies are put beside launches
  /// ReplicaOptions::atOnce: slices of each loop side by side; 0: chosen by the speed of `joins`.
  uint32_t slicesAtOnce = 0;
};

/// Opens the device, compiles the bundle's kernels or loads them from the cache, and allocates the
/// arenas. Throws Error(Device), naming what is missing, and Error(MemoryBound) when the arenas do
/// not fit.
std::unique_ptr<Executor> makeGpuExecutor(const Bundle &bundle, const GpuOptions &options = {});

/// Empty when makeGpuExecutor can work here; otherwise one sentence saying why not.
std::string gpuUnavailableReason();

} // namespace mpf
