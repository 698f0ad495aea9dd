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
  int ordinal = 0; ///< number of the GPU
  KernelStoreOptions kernels;
  /// The pool for the host's work on lists of cases; null: the caller works alone.
  ThreadPool *pool = nullptr;
  bool compilesLater = false; ///< emitted kernels of lanes are compiled before their first launch
  JoinOptions joins;          ///< levels that share a launch; residentBlocks comes from the device
  CopySpeed copies;           ///< decides which copies run beside launches
  /// ReplicaOptions::atOnce: slices of each loop side by side; 0: chosen by the speed in `joins`.
  uint32_t slicesAtOnce = 0;
};

/// Opens the device, compiles the bundle's kernels or loads them from the cache, and allocates the
/// arenas. Throws Error(Device) with what is missing, and Error(MemoryBound) if the arenas do not
/// fit.
std::unique_ptr<Executor> makeGpuExecutor(const Bundle &bundle, const GpuOptions &options = {});

/// Returns one sentence why makeGpuExecutor cannot work here; empty if it can.
std::string gpuUnavailableReason();

} // namespace mpf
