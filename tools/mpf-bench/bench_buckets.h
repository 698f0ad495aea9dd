// `mpf-bench buckets`: draws buckets, plans their kernels, checks and times them, reports.
#pragma once

#include "tools/mpf-bench/shapes/bench_options.h"

#include <cstddef>

namespace mpf::bench {

/// Returns how many buckets were wrong or failed. Throws Error(Usage) for options that fit no
/// bucket, Error(Device) without the device asked for.
size_t benchBuckets(const BucketBenchOptions &options);

} // namespace mpf::bench
