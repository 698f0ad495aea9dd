// Prints a campaign as text and as JSON.
#pragma once

#include "tools/mpf-bench/networks/campaign.h"

#include <string>
#include <vector>

namespace mpf::bench {

/// Returns a line for each solver of one task.
std::string taskText(const TaskRuns &task);
/// Returns the summaries of all tasks, and the slowest passes.
std::string campaignText(const std::vector<TaskRuns> &tasks);
std::string campaignJson(const std::string &command, const std::vector<TaskRuns> &tasks);

} // namespace mpf::bench
