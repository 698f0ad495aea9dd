// Makes a self-contained HTML page with plots for each group:
// - performance over complexity on logarithmic axes (as figure 5(a) of ICS'08);
// - floor / time;
// - the gain over the times of another report, if there is one (as figure 5(b)).
// Each bucket is a dot, coloured by kernel family; its tooltip has the bucket's name and numbers.
// Grey dots show the floor: the limit of the device.
#pragma once

#include "tools/mpf-bench/report/report_json.h"

namespace mpf::bench {

/// The page has no script and no outside reference. Equal input gives equal bytes.
std::string scatterPage(const ReportHead &head, const std::vector<BucketJob> &jobs,
                        const std::vector<GroupSummary> &summaries);

} // namespace mpf::bench
