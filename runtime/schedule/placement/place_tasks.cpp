#include "runtime/schedule/placement/place_tasks.h"

#include "dsl/support/check.h"
#include "runtime/schedule/placement/acceleration_schedule.h"
#include "runtime/schedule/placement/placement_tasks.h"
#include "runtime/schedule/placement/spread_branches.h"
#include "runtime/schedule/placement/supersteps.h"

#include <algorithm>
#include <limits>
#include <map>

namespace mpf {

namespace {

std::vector<DeviceId> greedy(const PlacementTasks &tasks, const PlacementSite &site) {
  std::vector<DeviceId> devices;
  for (const PlacementTask &task : tasks.tasks)
    devices.push_back(site.devices[std::ranges::min_element(task.us) - task.us.begin()].id);
  return devices;
}

/// Returns the CPU, or the first GPU of the site, for each task.
std::vector<DeviceId> allOn(DeviceKind kind, const PlacementTasks &tasks,
                            const PlacementSite &site) {
  const auto device = std::ranges::find(site.devices, kind,
                                        [](const PlacementDevice &each) { return each.id.kind; });
  return std::vector(tasks.tasks.size(), device->id);
}

std::vector<DeviceId> placedBy(PlacementMethod method, const PlacementTasks &tasks,
                               const PlacementSite &site) {
  switch (method) {
  case PlacementMethod::Cpu:
    return allOn(DeviceKind::Cpu, tasks, site);
  case PlacementMethod::Gpu:
    return allOn(DeviceKind::Gpu, tasks, site);
  case PlacementMethod::Greedy:
    return greedy(tasks, site);
  case PlacementMethod::Acceleration:
    return spreadBranches(tasks, accelerationSchedule(tasks, site), site);
  case PlacementMethod::Auto:
    break;
  }
  MPF_UNREACHABLE("method {}", static_cast<int>(method));
}

} // namespace

PlacementChoice placeTasks(const Bundle &bundle, const PlacementTimes &times,
                           const PlacementSite &site, PlacementMethod method) {
  const bool hasGpu = site.devices.size() > 1;
  if (method == PlacementMethod::Gpu && !hasGpu)
    fail(ErrorKind::Device, "the machine has no GPU on which operations may be placed");
  const PlacementTasks tasks = placementTasks(bundle, times.alone);
  PlacementChoice choice;
  std::map<std::vector<DeviceId>, Timeline> known; // methods may agree
  double leastUs = std::numeric_limits<double>::infinity();
  for (const PlacementMethodName &each : placementMethods()) {
    if (each.method == PlacementMethod::Auto || (each.method == PlacementMethod::Gpu && !hasGpu))
      continue;
    const std::vector<DeviceId> devices = placedBy(each.method, tasks, site);
    const std::vector<uint32_t> supersteps = superstepsOf(tasks, devices);
    const std::vector<DeviceId> deviceOf = byOperation(tasks, devices);
    const std::vector<uint32_t> superstepOf = byOperation(tasks, supersteps);
    const auto [at, isNew] = known.try_emplace(devices);
    if (isNew)
      at->second = timelineOf(placementTasks(bundle, times.placed(deviceOf, superstepOf)), devices,
                              supersteps, site);
    const Timeline &timeline = at->second;
    const double timeUs = timeline.totalUs();
    choice.offers.push_back({each.method, timeUs, timeline.openUs});
    const bool usesCpu = std::ranges::find(devices, DeviceId::cpu()) != devices.end();
    const double comparedUs = timeUs + (usesCpu ? site.touchUs : 0);
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
