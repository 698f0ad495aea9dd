// Runs candidate kernels on a GPU, in memory that is laid out like the program's own and filled
// with made-up entries.
#pragma once

#include "runtime/compile/kernel_store.h"
#include "runtime/execute/gpu/tuning/tune_kernels.h"

namespace mpf {

/// A kernel of one f32 operand that reads more than L2 holds, and the sizes of its tables.
struct FlushL2Kernel {
  BundleKernel kernel;
  uint64_t operandBytes = 0, resultBytes = 0;
};

/// Opens the GPU, takes the arenas of `bundle` there (given back with the object) and compiles the
/// flush. The bundle must stay as it is, and the store must outlive the device. Throws
/// Error(Device); Error(MemoryBound) when the arenas do not fit.
std::unique_ptr<TuningDevice> makeGpuTuningDevice(const Bundle &bundle, const FlushL2Kernel &flush,
                                                  KernelStore &store);

} // namespace mpf
