// `mpf-bench buckets`: draws buckets, plans their kernels, checks and times them, reports.
#pragma once

#include "tools/mpf-bench/shapes/bench_options.h"

#include <cstddef>

namespace mpf::bench {

/// Returns how many buckets were wrong or failed. Throws Error(Usage) when the options select no
/// bucket, and Error(Device) when the machine lacks the device asked for.
size_t benchBuckets(const BucketBenchOptions &options);

} // namespace mpf::bench
