#include "runtime/schedule/placement/supersteps.h"

#include <algorithm>

namespace mpf {

std::vector<uint32_t> superstepsOf(const PlacementTasks &tasks,
                                   const std::vector<StepDevice> &devices) {
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

double superstepsUs(const PlacementTasks &tasks, const std::vector<StepDevice> &devices,
                    const std::vector<uint32_t> &supersteps, const TransferTimes &transfers) {
  struct Superstep {
    double cpuUs = 0, gpuUs = 0, transferUs = 0;
    bool usesGpu = false;
  };
  std::vector<Superstep> all;
  const auto stepOf = [&](uint32_t task) -> Superstep & {
    if (all.size() <= supersteps[task])
      all.resize(supersteps[task] + 1);
    return all[supersteps[task]];
  };
  for (uint32_t t = 0; t < supersteps.size(); ++t) {
    Superstep &step = stepOf(t);
    const bool onGpu = devices[t] == StepDevice::Gpu;
    (onGpu ? step.gpuUs : step.cpuUs) += onGpu ? tasks.tasks[t].gpuUs : tasks.tasks[t].cpuUs;
    step.usesGpu = step.usesGpu || onGpu;
  }
  for (const PlacedTable &table : tasks.tables)
    if (crosses(table, devices))
      stepOf(table.writer).transferUs += transfers.tableUs(table.bytes);
  double timeUs = 0;
  bool usesGpu = false;
  for (const Superstep &step : all) {
    timeUs += std::max(step.cpuUs, step.gpuUs) + step.transferUs;
    timeUs += step.usesGpu ? transfers.superstepUs : 0;
    usesGpu = usesGpu || step.usesGpu;
  }
  return timeUs + (usesGpu ? transfers.openUs : 0);
}

} // namespace mpf
