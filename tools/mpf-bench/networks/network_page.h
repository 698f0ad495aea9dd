// A campaign as a page with pictures: for each task a cactus plot (how many networks are answered
// in how many seconds each), the time of whole processes over the width, and what was predicted of
// a run over what was measured.
#pragma once

#include "tools/mpf-bench/networks/campaign.h"

#include <string>
#include <vector>

namespace mpf::bench {

/// The page has no script and no outside reference. Equal input gives equal bytes.
std::string campaignPage(const std::string &command, const std::vector<TaskRuns> &tasks);

} // namespace mpf::bench
