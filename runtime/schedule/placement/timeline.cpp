#include "runtime/schedule/placement/timeline.h"

#include <algorithm>

namespace mpf {

namespace {

/// Returns the indices of each superstep, ascending.
std::vector<std::vector<uint32_t>> bySuperstep(const std::vector<uint32_t> &superstepOf,
                                               size_t count) {
  std::vector<std::vector<uint32_t>> lists(count);
  for (uint32_t i = 0; i < superstepOf.size(); ++i)
    lists[superstepOf[i]].push_back(i);
  return lists;
}

} // namespace

Timeline timelineOf(const PlacementTasks &tasks, const std::vector<StepDevice> &devices,
                    const std::vector<uint32_t> &supersteps, const TransferTimes &transfers) {
  Timeline line;
  if (supersteps.empty())
    return line;
  const size_t count = *std::max_element(supersteps.begin(), supersteps.end()) + 1;
  std::vector<std::vector<const PlacedTable *>> copies(count);
  for (const PlacedTable &table : tasks.tables)
    if (crosses(table, devices))
      copies[supersteps[table.writer]].push_back(&table);
  const std::vector<std::vector<uint32_t>> tasksOf = bySuperstep(supersteps, count);
  for (uint32_t step = 0; step < count; ++step) {
    const auto add = [&](double &atUs, double timeUs, TimelineBar bar) {
      bar.superstep = step;
      bar.startUs = atUs;
      bar.endUs = atUs += timeUs;
      line.bars.push_back(bar);
    };
    double cpuUs = line.endUs, gpuUs = line.endUs;
    bool usesGpu = false;
    for (const uint32_t t : tasksOf[step]) {
      const PlacementTask &task = tasks.tasks[t];
      const bool onGpu = devices[t] == StepDevice::Gpu;
      add(onGpu ? gpuUs : cpuUs, onGpu ? task.gpuUs : task.cpuUs,
          {.lane = onGpu ? TimelineLane::Gpu : TimelineLane::Cpu,
           .first = task.first,
           .count = task.count});
      usesGpu = usesGpu || onGpu;
    }
    double upUs = cpuUs, downUs = gpuUs;
    const auto copy = [&](const PlacedTable &table, TimelineLane lane, double &atUs) {
      add(atUs, transfers.tableUs(table.bytes, devices[table.writer]),
          {.lane = lane, .table = table.buffer, .bytes = table.bytes});
    };
    bool goesUp = false;
    for (const PlacedTable *table : copies[step]) {
      const bool isUp = devices[table->writer] == StepDevice::Cpu;
      goesUp = goesUp || isUp;
      if (!isUp)
        copy(*table, TimelineLane::Downloads, downUs);
      else if (table->isAlone)
        copy(*table, TimelineLane::Uploads, upUs);
    }
    upUs = std::max(upUs, downUs); // the other tables wait for both devices
    for (const PlacedTable *table : copies[step])
      if (devices[table->writer] == StepDevice::Cpu && !table->isAlone)
        copy(*table, TimelineLane::Uploads, upUs);
    line.endUs = upUs + (goesUp ? transfers.uploadUs : 0); // with the states
    if (usesGpu) {
      add(line.endUs, transfers.superstepUs, {.lane = TimelineLane::Gpu});
      line.openUs = transfers.openUs;
    }
  }
  for (const TracebackPart &part : tracebackParts(tasks.traceback, byOperation(tasks, devices))) {
    TimelineBar bar;
    bar.lane = part.device == StepDevice::Gpu ? TimelineLane::Gpu : TimelineLane::Cpu;
    bar.superstep = static_cast<uint32_t>(count) - 1;
    bar.tracedSteps = static_cast<uint32_t>(part.steps.size());
    bar.startUs = line.endUs;
    line.endUs += transfers.traceUs(part.device, part.steps.size());
    bar.endUs = line.endUs;
    line.bars.push_back(bar);
  }
  return line;
}

} // namespace mpf
