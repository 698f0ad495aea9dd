// Reports and exports of a bucket benchmark as JSON; keys carry their units.
#pragma once

#include "tools/mpf-bench/report/summary.h"

#include <string>
#include <vector>

namespace mpf::bench {

struct ReportHead {
  std::string device;  ///< "NVIDIA H200 (sm_90)", or the target of the predictions
  std::string command; ///< the options that reproduce this report
};

/// {"device", "command", "summaries": [...], "buckets": [...]}; absent figures are null.
std::string reportJson(const ReportHead &head, const std::vector<BucketJob> &jobs,
                       const std::vector<GroupSummary> &summaries);

/// The buckets themselves, for other programs to run (peers.py): merged digits of extent 2 or more,
/// every table dense and row-major over the digits it lists.
/// {"buckets": [{"set", "name", "operations", "extents", "operands": [[digit]], "result":
/// [digit]}]}
std::string shapesJson(const std::vector<BucketShape> &shapes);

} // namespace mpf::bench
