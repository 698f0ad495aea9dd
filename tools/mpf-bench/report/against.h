// Times of the same buckets in another report: an earlier kernel planner, another family, the CPU.
#pragma once

#include "tools/mpf-bench/shapes/bucket_job.h"

#include <string>
#include <vector>

namespace mpf::bench {

/// Sets `otherUs` of every job that the report (report_json.h, as text) has a time for, or a
/// prediction where nothing was measured. Throws Error(BadInput) naming `file` when it is none.
void readAgainst(const std::string &file, const std::string &text, std::vector<BucketJob> &jobs);

/// One line per group that has such times: how many, and the geometric mean, least and greatest of
/// other time / time. Empty without.
std::string againstText(const std::vector<BucketJob> &jobs);

} // namespace mpf::bench
