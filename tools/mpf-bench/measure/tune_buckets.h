// --autotune: buckets judged by the fastest of several kernels, as `mpfc run --autotune` takes
// them.
#pragma once

#include "tools/mpf-bench/shapes/bucket_job.h"

#include <functional>
#include <string>
#include <vector>

namespace mpf::bench {

/// Measures jobs that are Predicted (BucketDevice::measure).
using MeasureJobs = std::function<void(std::vector<BucketJob> &)>;

/// The same jobs, each with the fastest of its plan and its nextBest for a plan. The choice is by
/// one round of measurements, the times reported are of a second one, for the chosen and for the
/// model's choice, so that the luck of the first does not count as a gain. A candidate that is
/// wrong or fails makes the bucket so.
std::vector<BucketJob> tuneBuckets(std::vector<BucketJob> jobs, const MeasureJobs &measure);

/// What tuning gained, a few lines per group; empty without tuned buckets.
std::string tunedText(const std::vector<BucketJob> &jobs);

} // namespace mpf::bench
