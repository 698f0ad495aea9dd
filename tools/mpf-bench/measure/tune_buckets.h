// --autotune: measures several kernels for each bucket and keeps the fastest, as `mpfc run
// --autotune` does.
#pragma once

#include "tools/mpf-bench/shapes/bucket_job.h"

#include <functional>
#include <string>
#include <vector>

namespace mpf::bench {

/// Measures jobs that are Predicted (BucketDevice::measure).
using MeasureJobs = std::function<void(std::vector<BucketJob> &)>;

/// Returns the same jobs, with the fastest of `plan` and `nextBest` as their plan. One round of
/// measurements makes the choice. A second round gives the reported times, of the chosen kernel and
/// of the model's choice, so that a lucky measurement does not count as a gain. When a candidate is
/// wrong or fails, so is its bucket.
std::vector<BucketJob> tuneBuckets(std::vector<BucketJob> jobs, const MeasureJobs &measure);

/// A report of what tuning gained, a few lines per group; empty when no bucket was tuned.
std::string tunedText(const std::vector<BucketJob> &jobs);

} // namespace mpf::bench
