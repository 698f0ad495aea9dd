// Runs candidate kernels on a GPU, in memory with the program's layout and made-up entries.
#pragma once

#include "runtime/compile/kernel_store.h"
#include "runtime/execute/gpu/tuning/tune_kernels.h"

namespace mpf {

/// A kernel of one f32 operand that is larger than L2, and the sizes of its tables.
struct FlushL2Kernel {
  BundleKernel kernel;
  uint64_t operandBytes = 0, resultBytes = 0;
};

/// Opens the GPU with this number, allocates the arenas of `bundle` there (until the object is
/// destroyed) and compiles the flush kernel. The bundle must not change, and the store must outlive
/// the device. Throws Error(Device), and Error(MemoryBound) if the arenas do not fit.
std::unique_ptr<TuningDevice> makeGpuTuningDevice(const Bundle &bundle, const FlushL2Kernel &flush,
                                                  KernelStore &store, int ordinal = 0);

} // namespace mpf
