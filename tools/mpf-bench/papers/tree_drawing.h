// Draws figure 6 of the Gems chapter: the operations of a program as a tree, with their devices in
// two schedules.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/schedule.h"
#include "tools/mpf-bench/report/paper_report.h"

#include <vector>

namespace mpf::bench {

/// Adds a dot for each operation and a link to the one that reads its result.
void drawTree(const Bundle &bundle, const std::vector<DeviceId> &greedy,
              const std::vector<DeviceId> &acceleration, PaperItem &item);

} // namespace mpf::bench
