// A self-contained HTML page: for each group, performance against complexity on logarithmic axes
// (as figure 5(a) of ICS'08), floor / time, and with another report's times the gain over it (as
// figure 5(b)). One dot per bucket,
// coloured by kernel family; holding the pointer over a dot names the bucket and its figures. Grey
// dots behind are the floor: where the bucket would be at the device's limit.
#pragma once

#include "tools/mpf-bench/report/report_json.h"

namespace mpf::bench {

/// No script, no outside reference; equal input gives equal bytes.
std::string scatterPage(const ReportHead &head, const std::vector<BucketJob> &jobs,
                        const std::vector<GroupSummary> &summaries);

} // namespace mpf::bench
