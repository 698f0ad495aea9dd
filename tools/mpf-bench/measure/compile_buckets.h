// Compiles the kernels of planned buckets, many at once.
#pragma once

#include "runtime/compile/kernel_store.h"
#include "tools/mpf-bench/measure/measure_buckets.h"

#include <vector>

namespace mpf::bench {

/// Compiles on MeasureOptions::threads threads. Not thread-safe.
class BucketCompiler {
public:
  BucketCompiler(std::string arch, const MeasureOptions &options);

  /// Returns the kernels of the jobs that are Predicted, in their order, and empty kernels for
  /// other jobs. Sets registers and spills of the jobs; a job whose kernel cannot be emitted or
  /// compiled becomes Failed.
  std::vector<CompiledKernel> compile(const std::vector<BucketJob *> &jobs);

  KernelStore &store() { return store_; }
  unsigned threads() const { return threads_; }
  /// Returns the number of jobs to compile at a time: enough to keep all threads busy, few enough
  /// to check the time budget in between.
  size_t atOnce() const { return size_t{4} * threads_; }

private:
  std::string arch_;
  unsigned threads_;
  KernelStore store_;
};

} // namespace mpf::bench
