// Makes a self-contained HTML page with plots for each group: performance against complexity on
// logarithmic axes (as figure 5(a) of ICS'08), floor / time and, with the times of another report,
// the gain over them (as figure 5(b)). Each bucket is a dot, coloured by kernel family; its tooltip
// names the bucket and its figures. Grey dots show the floor: where buckets would be at the
// device's limit.
#pragma once

#include "tools/mpf-bench/report/report_json.h"

namespace mpf::bench {

/// The page has no script and no outside reference. Equal input gives equal bytes.
std::string scatterPage(const ReportHead &head, const std::vector<BucketJob> &jobs,
                        const std::vector<GroupSummary> &summaries);

} // namespace mpf::bench
