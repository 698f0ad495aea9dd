// Prints a campaign as a page with plots. For each task it has a cactus plot: the number of
// networks that are answered within a time. Further plots show the time of whole processes over the
// width, and the predicted over the measured time of a run.
#pragma once

#include "tools/mpf-bench/networks/campaign.h"

#include <string>
#include <vector>

namespace mpf::bench {

/// The page has no script and no outside reference. Equal input gives equal bytes.
std::string campaignPage(const std::string &command, const std::vector<TaskRuns> &tasks);

} // namespace mpf::bench
