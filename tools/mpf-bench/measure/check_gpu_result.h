// A result in device memory against the definition.
#pragma once

#include "runtime/execute/gpu/cuda_device.h"
#include "tools/mpf-bench/shapes/bucket_job.h"

namespace mpf::bench {

/// As worstError (bucket_values.h), of the result that starts at `memory`; infinite when an entry
/// is NaN. Poison the memory with NaN before the launch: an entry never written then shows. Results
/// above 2^26 entries are searched for NaN in evenly spaced parts. `scale`: of the result
/// (TableState::scale).
double worstGpuError(const CudaDevice &device, const DeviceMemory &memory, const BucketJob &job,
                     unsigned samples, int scale);

} // namespace mpf::bench
