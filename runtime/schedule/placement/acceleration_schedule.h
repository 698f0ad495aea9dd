// ACCELERATION SCHEDULE: the device of every task for which the sum of all tasks' and transfers'
// times is least. Devices are assumed not to run at the same time.
//
// The method is that of Silberstein, Schuster and Owens, the Gems chapter, section 3.3 and figure
// 4: dynamic programming over the task tree. It goes from the leaves to the root. For each task v
// and each device it finds the least time S_v[device] of the tree below v, and the decisions O_v
// about the children. Then it goes back from the root.
//
// The time is least for trees, where each table has one reader. Messages of two-phase propagation
// have several readers. Such a task graph is cut to a tree, in which each table belongs to its
// first reader. Then single tasks change their device as long as that helps.
#pragma once

#include "runtime/schedule/placement/placement_tasks.h"

#include <vector>

namespace mpf {

/// Returns the device of each task; on equal times the first of the site. Deterministic. Time:
/// linear in tasks and readers, and in pairs of devices, with a few passes for the changes.
std::vector<DeviceId> accelerationSchedule(const PlacementTasks &tasks, const PlacementSite &site);

} // namespace mpf
