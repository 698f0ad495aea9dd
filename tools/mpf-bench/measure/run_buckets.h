// Draws buckets, plans their kernels, checks and times them.
#pragma once

#include "codegen/kernel/form/target.h"
#include "tools/mpf-bench/shapes/bench_options.h"
#include "tools/mpf-bench/shapes/bucket_job.h"

#include <functional>
#include <string>
#include <vector>

namespace mpf::bench {

struct BucketRun {
  std::string device; ///< name of the device, or of the target of predictions
  Target target;
  std::vector<BucketJob> jobs;
};

/// Returns the buckets that the options select, with what was predicted or measured of each. Calls
/// `planned` before anything is measured. Throws Error(Usage) when the options select no
/// bucket, and Error(Device) when the machine lacks the device asked for.
BucketRun runBuckets(const BucketBenchOptions &options,
                     const std::function<void(std::vector<BucketJob> &)> &planned = {});

} // namespace mpf::bench
