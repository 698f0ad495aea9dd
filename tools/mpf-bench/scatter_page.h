// A self-contained HTML page: for each group, performance against complexity on logarithmic axes
// (as figures 5(a) and 5(b) of ICS'08), and floor / time against complexity. One dot per bucket,
// coloured by kernel family; holding the pointer over a dot names the bucket and its figures. Grey
// dots behind are the floor: where the bucket would be at the device's limit.
#pragma once

#include "tools/mpf-bench/report_json.h"

namespace mpf::bench {

/// No script, no outside reference; equal input gives equal bytes.
std::string scatterPage(const ReportHead &head, const std::vector<BucketJob> &jobs,
                        const std::vector<GroupSummary> &summaries);

} // namespace mpf::bench
