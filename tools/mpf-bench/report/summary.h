// Summarises groups of measurements.
#pragma once

#include "codegen/kernel/form/target.h"
#include "tools/mpf-bench/shapes/bucket_job.h"

#include <string>
#include <vector>

namespace mpf::bench {

struct GroupSummary {
  std::string name; ///< BucketJob::groupName
  size_t jobs = 0;
  size_t judged = 0; ///< timed, or predicted where no device was asked for
  size_t wrong = 0, skipped = 0, failed = 0;
  double meanFraction = 0; ///< geometric mean of floor / time over the judged
  double leastFraction = 0;
  double shareUnderHalf = 0;            ///< share of the judged with floor / time < 0.5
  double shareByBytes = 0;              ///< share of the judged whose floor is that of bytes
  std::optional<double> modelError;     ///< median of |predicted / time - 1|; none without times
  double spillShare = 0;                ///< share of the judged whose kernels spill
  std::vector<const BucketJob *> worst; ///< up to ten of least fraction, worst first
};

/// Returns one summary per group, in the order of first appearance. It has pointers into `jobs`.
std::vector<GroupSummary> summarise(const std::vector<BucketJob> &jobs, const Target &target);

} // namespace mpf::bench
