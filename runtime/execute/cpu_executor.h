// The CPU executor runs operations on built-in kernels and, where that pays, on compiled kernels
// (execute/compiled/compiled_kernels.h).
#pragma once

#include "runtime/execute/compiled/compiled_kernels.h"
#include "runtime/execute/host/executor.h"
#include "runtime/execute/threads/spread_options.h"

#include <memory>

namespace mpf {

struct CpuOptions {
  unsigned threads = 0;      ///< 0: one for each core of the machine
  CompiledKernelOptions own; ///< compiled kernels; default: none
  SpreadOptions spread;      ///< thresholds for spreading work over threads
};

/// Allocates the bundle's arenas; throws Error(MemoryBound) when the system refuses. Results have
/// equal bits for any number of threads.
std::unique_ptr<Executor> makeCpuExecutor(const Bundle &bundle, const CpuOptions &options = {});

} // namespace mpf
