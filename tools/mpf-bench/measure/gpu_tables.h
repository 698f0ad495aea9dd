// Device memory that all buckets of a run share: one array for operands, which is filled once, and
// one for results. So no bucket uploads or allocates separate tables.
#pragma once

#include "runtime/execute/gpu/cuda_device.h"
#include "tools/mpf-bench/measure/gpu_timing.h"
#include "tools/mpf-bench/shapes/bucket_job.h"

#include <vector>

namespace mpf::bench {

/// Not thread-safe. The device must outlive it.
class GpuTables {
public:
  GpuTables(const CudaDevice &device, unsigned threads, GpuTiming timing);

  /// Allocates room for every one of `jobs` that fits the device's memory, and fills the operands'
  /// array. All jobs must have one type and form. Earlier contents are lost.
  void prepare(const std::vector<BucketJob *> &jobs);
  /// False for a job that `prepare` could make no room for.
  bool fits(const BucketJob &job) const;
  /// Returns the number of *placements*: disjoint sets of the job's tables that fit. For trains of
  /// launches there are at least two, and enough to exceed L2 several times.
  uint64_t placements(const BucketJob &job) const;
  static uint64_t bytes(const BucketJob &job); ///< size of one placement
  /// Returns the addresses of operands and result of one placement, in the order of a kernel's
  /// arguments.
  std::vector<CudaDevicePointer> addresses(const BucketJob &job, uint64_t placement = 0) const;
  /// Returns the memory of results; those of placement 0 come first.
  DeviceMemory &result() { return result_; }
  /// Returns the memory for the splits of split sums.
  CudaDevicePointer splits() const { return splits_.address(); }

private:
  template <class T> void fillOperands(uint64_t count, ValueForm form);

  const CudaDevice &device_;
  unsigned threads_;
  GpuTiming timing_;
  DeviceMemory operands_, result_, splits_;
};

} // namespace mpf::bench
