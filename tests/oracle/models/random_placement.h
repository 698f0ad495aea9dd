// Operations placed at random on two devices: whatever the planner would choose, the answers must
// stay the same.
#pragma once

#include "runtime/schedule/placement/placed_schedule.h"
#include "runtime/schedule/placement/placement_tasks.h"
#include "runtime/schedule/placement/supersteps.h"

#include <random>

namespace mpf::oracle {

/// A device for each task, by dice.
inline std::vector<StepDevice> randomDevices(const PlacementTasks &tasks, std::mt19937_64 &random) {
  std::vector<StepDevice> devices;
  for (size_t t = 0; t < tasks.tasks.size(); ++t)
    devices.push_back(random() % 2 == 0 ? StepDevice::Cpu : StepDevice::Gpu);
  return devices;
}

/// Each task of the bundle on a device by dice, in its superstep. `bundle` has the layout that both
/// devices' memory has.
inline Schedule randomlyPlaced(const Bundle &bundle, std::mt19937_64 &random) {
  const size_t count = bundle.operations.size();
  const PlacementTasks tasks =
      placementTasks(bundle, {std::vector<double>(count, 1), std::vector<double>(count, 1)});
  const std::vector<StepDevice> devices = randomDevices(tasks, random);
  return placedSchedule(bundle, {byOperation(tasks, devices)},
                        byOperation(tasks, superstepsOf(tasks, devices)));
}

} // namespace mpf::oracle
