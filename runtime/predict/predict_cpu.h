// Predicted times of a bundle's operations on the CPU, from the same models that choose how the
// executor runs them (execute/cpu/prepare_operation.h, execute/compiled/choose_compiled.h). A first
// run also touches memory (dsl/support/memory/memory_price.h).
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/machine/machine_speed.h"

#include <string_view>
#include <vector>

namespace mpf {

/// The predicted kernel and time of one operation.
struct CpuPrediction {
  std::string_view path; ///< OperationProfile::path, or its beginning
  double modelUs = 0;    ///< time by the kernel's cost model: one thread, one slice
  double timeUs = 0;     ///< predicted time
};

/// Returns the time of each operation on one thread, in one slice. The kernels are those of a run
/// on `threads` threads.
std::vector<CpuPrediction> predictOneThread(const Bundle &bundle, const CpuSpeed &speed,
                                            size_t threads, double expectedRuns);

/// Returns the time of each operation in one run: all slices, on all threads. Linear arithmetic is
/// assumed, unless the bundle forces logarithms. `expectedRuns`:
/// CompiledKernelOptions::expectedRuns. Takes as long as opening a session.
std::vector<CpuPrediction> predictCpu(const Bundle &bundle, const CpuSpeed &speed, size_t threads,
                                      double expectedRuns);

/// Returns the most slices that `threads` threads compute side by side (spread_slices.h); 1 without
/// slices. Takes as long as predictCpu.
uint64_t slicesSideBySide(const Bundle &bundle, const CpuSpeed &speed, size_t threads,
                          double expectedRuns);

/// Returns the additional time of the first run, in which `threads` threads touch the bundle's
/// tables for the first time. One thread touches the inputs.
double firstTouchUs(const Bundle &bundle, const CpuSpeed &speed, size_t threads);

} // namespace mpf
