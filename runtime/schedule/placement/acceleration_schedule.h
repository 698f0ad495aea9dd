// ACCELERATION SCHEDULE: which device runs which task, such that the sum of all tasks' and
// transfers' times is least, for a CPU and a GPU that do not run at the same time. Silberstein,
// Schuster and Owens, the Gems chapter, section 3.3 and figure 4: dynamic programming over the task
// tree. From the leaves to the root it finds for each task v and each device the least time
// S_v[device] of the tree below v, and the decisions O_v about its children; then it goes back from
// the root.
//
// The time is least for trees: tables with one reader each. Messages of two-phase propagation are
// read several times; such a task graph is cut to a tree, in which each table belongs to its first
// reader, and single tasks change their device as long as that helps.
#pragma once

#include "runtime/schedule/placement/placement_tasks.h"

#include <vector>

namespace mpf {

/// By task. Deterministic; on equal times the CPU. Time: linear in tasks and readers, but for the
/// changes, which are a few passes over them.
std::vector<StepDevice> accelerationSchedule(const PlacementTasks &tasks,
                                             const TransferTimes &transfers);

} // namespace mpf
