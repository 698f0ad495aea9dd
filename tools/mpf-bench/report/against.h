// Compares times with those of the same buckets in another report: for example of an earlier
// planner, another family, or the CPU.
#pragma once

#include "tools/mpf-bench/shapes/bucket_job.h"

#include <string>
#include <vector>

namespace mpf::bench {

/// Sets `otherUs` of every job for which the report has a time or, where nothing was measured, a
/// prediction. `text` is the report as JSON (report_json.h). Throws Error(BadInput), naming `file`,
/// when it is no such report.
void readAgainst(const std::string &file, const std::string &text, std::vector<BucketJob> &jobs);

/// Returns a line per group with such times: their number, and the geometric mean, least and
/// greatest of other time / time. Empty without such times.
std::string againstText(const std::vector<BucketJob> &jobs);

} // namespace mpf::bench
