// Measures planned jobs on a device. A bucket's result is checked before it is timed.
#pragma once

#include "codegen/bundle/kernel_interface.h"
#include "codegen/kernel/form/target.h"
#include "tools/mpf-bench/measure/gpu_timing.h"
#include "tools/mpf-bench/measure/time_budget.h"
#include "tools/mpf-bench/shapes/bucket_job.h"

#include <memory>
#include <string>
#include <vector>

namespace mpf::bench {

struct MeasureOptions {
  unsigned repeats = 20;         ///< runs of a bucket; its time is their median
  double bucketSeconds = 2;      ///< no further run of a bucket begins after this time
  unsigned checkedEntries = 100; ///< result entries recomputed in long double
  GpuTiming timing = GpuTiming::Alone;
  WaitPoint wait = WaitPoint::Begin; ///< wait of trains; warm launches wait before stores at latest
  bool cublas = false;               ///< GPU: time cuBLAS too, where a bucket is a matrix product
  bool compiled = false;  ///< CPU: time a compiled kernel, and the built-in ones (otherUs)
  unsigned threads = 0;   ///< CPU executor and compiler; 0: as many as the machine has
  std::string dumpFolder; ///< GPU: when set, sources and compiler logs, named by kernel
};

class BucketDevice {
public:
  virtual ~BucketDevice() = default;
  virtual std::string name() const = 0; ///< "NVIDIA H200 (sm_90)"
  virtual Target target() const = 0;
  /// Sets the result of every job that is Predicted. An error of one bucket becomes its outcome;
  /// throws Error(Device) only when no further bucket could run.
  virtual void measure(std::vector<BucketJob> &jobs, const TimeBudget &budget) = 0;
};

/// Opens the machine's first GPU. Throws Error(Device) when there is none or in a build without
/// CUDA.
std::unique_ptr<BucketDevice> openBucketGpu(const MeasureOptions &options);
/// Opens the CPU executor. Plans are for the target "cpu", one core. Predictions are those of the
/// planner's plans, which the executor does not run.
std::unique_ptr<BucketDevice> openBucketCpu(const MeasureOptions &options);

/// Compiles for a GPU that the machine need not have, and measures nothing: jobs stay Predicted and
/// get registers and spills. Throws Error(Device) without NVRTC or in a build without CUDA.
std::unique_ptr<BucketDevice> openBucketCompiler(const std::string &target,
                                                 const MeasureOptions &options);

/// Prints a line on stderr after every twentieth of `all`.
void showProgress(size_t done, size_t all, const char *what);

} // namespace mpf::bench
