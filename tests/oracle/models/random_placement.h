// Places operations at random on several devices: answers must be the same for every choice of the
// planner.
#pragma once

#include "runtime/schedule/placement/placed_schedule.h"
#include "runtime/schedule/placement/placement_tasks.h"
#include "runtime/schedule/placement/supersteps.h"

#include <random>

namespace mpf::oracle {

/// Returns a random device for each task: the CPU, or one of `gpus` GPUs.
inline std::vector<DeviceId> randomDevices(const PlacementTasks &tasks, std::mt19937_64 &random,
                                           uint32_t gpus = 1) {
  std::vector<DeviceId> devices;
  for (size_t t = 0; t < tasks.tasks.size(); ++t)
    if (const auto number = static_cast<uint32_t>(random() % (1 + gpus)); number == 0)
      devices.push_back(DeviceId::cpu());
    else
      devices.push_back(DeviceId::gpu(number - 1));
  return devices;
}

/// Places each task of the bundle on a random device, in its superstep. `bundle` has the layout of
/// the memory of all devices.
inline Schedule randomlyPlaced(const Bundle &bundle, std::mt19937_64 &random, uint32_t gpus = 1) {
  const size_t count = bundle.operations.size();
  const PlacementTasks tasks =
      placementTasks(bundle, {std::vector(1 + gpus, std::vector<double>(count, 1))});
  const std::vector<DeviceId> devices = randomDevices(tasks, random, gpus);
  return placedSchedule(bundle, {byOperation(tasks, devices)},
                        byOperation(tasks, superstepsOf(tasks, devices)));
}

} // namespace mpf::oracle
