// SPREADS the branches of a task tree over several GPUs. The method is that of Geist and Ng (1989),
// section 3. The tree is cut into branches. The heaviest branch is replaced by its children until
// the branches can be divided evenly. Each cut is divided by putting every branch, heaviest first,
// on the GPU that ends first. Here all cuts are compared by the time line, which includes
// copies and waiting.
#pragma once

#include "runtime/schedule/placement/placement_tasks.h"

#include <vector>

namespace mpf {

/// Returns the device of each task. Tasks that `devices` places on a GPU may change to another GPU
/// of the site, if the predicted time of a run falls (timelineOf). `devices`: by task. With less
/// than two GPUs it returns `devices`. Deterministic. Time: linear in tasks for each of at most 64
/// cuts.
std::vector<DeviceId> spreadBranches(const PlacementTasks &tasks, std::vector<DeviceId> devices,
                                     const PlacementSite &site);

} // namespace mpf
