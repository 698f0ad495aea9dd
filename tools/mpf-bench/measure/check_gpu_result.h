// Checks a result in device memory against the definition of its operation.
#pragma once

#include "runtime/execute/gpu/cuda_device.h"
#include "tools/mpf-bench/shapes/bucket_job.h"

namespace mpf::bench {

/// worstError (bucket_values.h) of the result that starts at `memory`; infinity when an entry is
/// NaN. Fill the memory with NaN before the launch, so that entries that were never written are
/// found. Results above 2^26 entries are searched for NaN in evenly spaced parts only. `scale` is
/// the result's TableState::scale.
double worstGpuError(const CudaDevice &device, const DeviceMemory &memory, const BucketJob &job,
                     unsigned samples, int scale);

} // namespace mpf::bench
