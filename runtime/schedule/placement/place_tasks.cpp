#include "runtime/schedule/placement/place_tasks.h"

#include "dsl/support/check.h"
#include "runtime/schedule/placement/acceleration_schedule.h"
#include "runtime/schedule/placement/placement_tasks.h"
#include "runtime/schedule/placement/supersteps.h"

#include <algorithm>
#include <limits>
#include <map>

namespace mpf {

namespace {

std::vector<StepDevice> greedy(const PlacementTasks &tasks) {
  std::vector<StepDevice> devices;
  for (const PlacementTask &task : tasks.tasks)
    devices.push_back(task.gpuUs < task.cpuUs ? StepDevice::Gpu : StepDevice::Cpu);
  return devices;
}

std::vector<StepDevice> placedBy(PlacementMethod method, const PlacementTasks &tasks,
                                 const TransferTimes &transfers) {
  switch (method) {
  case PlacementMethod::Cpu:
    return std::vector<StepDevice>(tasks.tasks.size(), StepDevice::Cpu);
  case PlacementMethod::Gpu:
    return std::vector<StepDevice>(tasks.tasks.size(), StepDevice::Gpu);
  case PlacementMethod::Greedy:
    return greedy(tasks);
  case PlacementMethod::Acceleration:
    return accelerationSchedule(tasks, transfers);
  case PlacementMethod::Auto:
    break;
  }
  MPF_UNREACHABLE("method {}", static_cast<int>(method));
}

} // namespace

PlacementChoice placeTasks(const Bundle &bundle, const PlacementTimes &times,
                           const TransferTimes &transfers, PlacementMethod method) {
  const PlacementTasks tasks = placementTasks(bundle, times.alone);
  PlacementChoice choice;
  std::map<std::vector<StepDevice>, Timeline> known; // methods may agree
  double leastUs = std::numeric_limits<double>::infinity();
  for (const PlacementMethodName &each : placementMethods()) {
    if (each.method == PlacementMethod::Auto)
      continue;
    const std::vector<StepDevice> devices = placedBy(each.method, tasks, transfers);
    const std::vector<uint32_t> supersteps = superstepsOf(tasks, devices);
    const std::vector<StepDevice> deviceOf = byOperation(tasks, devices);
    const std::vector<uint32_t> superstepOf = byOperation(tasks, supersteps);
    const auto [at, isNew] = known.try_emplace(devices);
    if (isNew)
      at->second = timelineOf(placementTasks(bundle, times.placed(deviceOf, superstepOf)), devices,
                              supersteps, transfers);
    const Timeline &timeline = at->second;
    const double timeUs = timeline.totalUs();
    choice.offers.push_back({each.method, timeUs, timeline.openUs});
    const bool usesCpu = std::ranges::find(devices, StepDevice::Cpu) != devices.end();
    const double comparedUs = timeUs + (usesCpu ? transfers.touchUs : 0);
    if (each.method != method && (method != PlacementMethod::Auto || !(comparedUs < leastUs)))
      continue;
    leastUs = comparedUs;
    choice.method = each.method;
    choice.timeUs = timeUs;
    choice.placement.devices = deviceOf;
    choice.supersteps = superstepOf;
    choice.timeline = timeline;
  }
  return choice;
}

} // namespace mpf
