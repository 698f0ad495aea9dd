// Places operations at random on two devices: answers must be the same for every choice of the
// planner.
#pragma once

#include "runtime/schedule/placement/placed_schedule.h"
#include "runtime/schedule/placement/placement_tasks.h"
#include "runtime/schedule/placement/supersteps.h"

#include <random>

namespace mpf::oracle {

/// Returns a random device for each task.
inline std::vector<StepDevice> randomDevices(const PlacementTasks &tasks, std::mt19937_64 &random) {
  std::vector<StepDevice> devices;
  for (size_t t = 0; t < tasks.tasks.size(); ++t)
    devices.push_back(random() % 2 == 0 ? StepDevice::Cpu : StepDevice::Gpu);
  return devices;
}

/// Places each task of the bundle on a random device, in its superstep. `bundle` has the layout of
/// both devices' memory.
inline Schedule randomlyPlaced(const Bundle &bundle, std::mt19937_64 &random) {
  const size_t count = bundle.operations.size();
  const PlacementTasks tasks =
      placementTasks(bundle, {std::vector<double>(count, 1), std::vector<double>(count, 1)});
  const std::vector<StepDevice> devices = randomDevices(tasks, random);
  return placedSchedule(bundle, {byOperation(tasks, devices)},
                        byOperation(tasks, superstepsOf(tasks, devices)));
}

} // namespace mpf::oracle
