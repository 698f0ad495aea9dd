// The CPU executor: precompiled table-driven kernels, no compiler at run time.
#pragma once

#include "runtime/execute/compiled/compiled_kernels.h"
#include "runtime/execute/host/executor.h"

#include <memory>

namespace mpf {

struct CpuOptions {
  unsigned threads = 0;      ///< 0: as many as the machine has cores
  CompiledKernelOptions own; ///< default: every operation runs on the built-in kernels
};

/// Takes the bundle's arenas from the system: Error(MemoryBound) when it refuses. Results are the
/// same bits for any number of threads.
std::unique_ptr<Executor> makeCpuExecutor(const Bundle &bundle, const CpuOptions &options = {});

} // namespace mpf
