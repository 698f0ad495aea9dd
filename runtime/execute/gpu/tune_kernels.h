// A bundle whose kernels the cost model chose -> the same bundle with those that were measured to
// be the fastest: taken from the cache of choices, or measured now and put there.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/compile/tuned_kernels.h"
#include "runtime/execute/gpu/tuning_report.h"

#include <functional>
#include <memory>
#include <span>

namespace mpf {

/// Runs the candidates of one kernel of a bundle.
class CandidateRunner {
public:
  virtual ~CandidateRunner() = default;
  /// Runs candidate `index` once; how its result differs from the first candidate's, in one
  /// sentence, empty if it does not beyond rounding. The first is asked first.
  virtual std::string findDifference(size_t index) = 0;
  /// Microseconds of one run that finds none of its tables in a cache.
  virtual double runUs(size_t index) = 0;
};

/// Where candidates are measured: a GPU (gpu_tuning_device.h), or in tests a script.
class TuningDevice {
public:
  virtual ~TuningDevice() = default;
  /// Makes ready all kernels that will be measured, at once. Throws what the compiler throws.
  virtual void compile(std::span<const BundleKernel *const> kernels) = 0;
  /// `candidates` all do what number `kernel` of the bundle's kernels does.
  virtual std::unique_ptr<CandidateRunner>
  open(uint32_t kernel, std::span<const BundleKernel *const> candidates) = 0;
};

/// Called where something is to be measured, once; the device sees the bundle as it is then.
using TuningDeviceOpener = std::function<std::unique_ptr<TuningDevice>(const Bundle &)>;

/// A choice in the cache is taken unless there is a candidate that it was not measured against.
/// Kernels with cubins and the table-driven ones stay as they are. Throws Error(Verification) where
/// a candidate gives another result than the first, and what the device throws.
TuningReport tuneKernels(Bundle &bundle, std::span<const TuningCandidates> candidates,
                         TunedKernels &choices, const TuningDeviceOpener &openDevice);

} // namespace mpf
