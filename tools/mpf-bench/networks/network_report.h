// A campaign as text and as JSON.
#pragma once

#include "tools/mpf-bench/networks/campaign.h"

#include <string>
#include <vector>

namespace mpf::bench {

/// Lines of one task: one for each solver.
std::string taskText(const TaskRuns &task);
/// What all come to, with the slowest passes.
std::string campaignText(const std::vector<TaskRuns> &tasks);
std::string campaignJson(const std::string &command, const std::vector<TaskRuns> &tasks);

} // namespace mpf::bench
