#include "runtime/schedule/placement/supersteps.h"

#include <algorithm>

namespace mpf {

std::vector<uint32_t> superstepsOf(const PlacementTasks &tasks,
                                   const std::vector<DeviceId> &devices) {
  std::vector<uint32_t> supersteps(tasks.tasks.size(), 0);
  for (uint32_t t = 0; t < supersteps.size(); ++t) {
    const PlacementTask &task = tasks.tasks[t];
    uint32_t &own = supersteps[t];
    for (const uint32_t earlier : task.behind)
      own = std::max(own, supersteps[earlier]);
    for (const uint32_t table : task.reads) {
      const uint32_t writer = tasks.tables[table].writer;
      own = std::max(own, supersteps[writer] + (devices[writer] != devices[t] ? 1 : 0));
    }
  }
  return supersteps;
}

} // namespace mpf
