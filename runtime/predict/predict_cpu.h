// Predicted times of a bundle's operations on the CPU, from the same models that choose how the
// executor runs them (execute/cpu/prepare_operation.h, execute/compiled/choose_compiled.h).
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/machine/machine_speed.h"

#include <string_view>
#include <vector>

namespace mpf {

/// How one operation is expected to run.
struct CpuPrediction {
  std::string_view path; ///< OperationProfile::path, or how it begins
  double modelUs = 0;    ///< of the kernel's model, one thread, once
  double timeUs = 0;     ///< in one run, all slices, with all threads
};

/// By operation, once, on one of `threads` threads: the kernels are those of a run on all of them.
/// As predictCpu otherwise.
std::vector<CpuPrediction> predictOneThread(const Bundle &bundle, const CpuSpeed &speed,
                                            size_t threads, double expectedRuns);

/// By operation. `expectedRuns`: CompiledKernelOptions::expectedRuns. An operation that is expected
/// in linear form is predicted so. Time: as opening a session.
std::vector<CpuPrediction> predictCpu(const Bundle &bundle, const CpuSpeed &speed, size_t threads,
                                      double expectedRuns);

} // namespace mpf
