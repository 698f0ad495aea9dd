// AUTOTUNE: replaces the kernels of a bundle, which the cost model chose, by the fastest measured
// ones. Choices come from the cache on disk, or are measured now and stored there.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/compile/tuned_kernels.h"
#include "runtime/execute/gpu/tuning/tuning_report.h"

#include <functional>
#include <memory>
#include <span>

namespace mpf {

/// Runs the candidates of one kernel of a bundle.
class CandidateRunner {
public:
  virtual ~CandidateRunner() = default;
  /// Runs candidate `index` once. Returns one sentence about the difference of its result from that
  /// of candidate 0; empty if they agree within rounding. Callers begin with candidate 0.
  virtual std::string findDifference(size_t index) = 0;
  /// Returns the time in microseconds of one run with cold caches.
  virtual double runUs(size_t index) = 0;
};

/// The device on which candidates are measured: a GPU (gpu_tuning_device.h) or, in tests, a script.
class TuningDevice {
public:
  virtual ~TuningDevice() = default;
  /// Compiles all kernels that will be measured, in parallel. Throws what the compiler throws.
  virtual void compile(std::span<const BundleKernel *const> kernels) = 0;
  /// Prepares to run `candidates` for kernel number `kernel` of the bundle.
  virtual std::unique_ptr<CandidateRunner>
  open(uint32_t kernel, std::span<const BundleKernel *const> candidates) = 0;
};

/// Opens the device for the current bundle. Called at most once, if there is something to measure.
using TuningDeviceOpener = std::function<std::unique_ptr<TuningDevice>(const Bundle &)>;

/// Tunes the kernels that have candidates. A choice in the cache is used if all candidates were
/// measured for it; otherwise they are measured now. Kernels with cubins and table-driven kernels
/// do not change. Throws Error(Verification) when a candidate's result differs from the first
/// one's, and passes on exceptions of the device.
TuningReport tuneKernels(Bundle &bundle, std::span<const TuningCandidates> candidates,
                         TunedKernels &choices, const TuningDeviceOpener &openDevice);

} // namespace mpf
