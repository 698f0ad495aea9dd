// PLACEMENT: the device of every operation of a bundle, as plain data.
//
// Operations are placed by *task*: a chain that one kernel may compute, a loop over slices with
// everything in it, or a single operation. place_tasks.h places them. The methods are:
//   - cpu: every task on the CPU; gpu: every task on the first GPU;
//   - greedy: each task on the device where it takes less time (hybrid-greedy of the Gems chapter,
//     section 4.2 and table 2);
//   - acceleration: the acceleration schedule of the Gems chapter (acceleration_schedule.h), which
//     includes the times of transfers; with several GPUs they share the branches of the task tree
//     (spread_branches.h);
//   - auto: the one of these with the least predicted time.
#pragma once

#include "codegen/machine/machine.h"
#include "codegen/machine/placement_method.h"
#include "codegen/machine/trace_speed.h"
#include "runtime/schedule/schedule.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpf {

/// Predicted microseconds of every operation in one run, all slices: by the place of a device in
/// PlacementSite::devices, then by index into Bundle::operations. Operations that share a launch of
/// a GPU share its time.
struct OperationTimes {
  std::vector<std::vector<double>> us;

  bool operator==(const OperationTimes &) const = default;
};

/// A device of a placement, with the times that are not those of operations.
struct PlacementDevice {
  DeviceId id;
  /// Time in which all devices wait for a GPU in a superstep in which it works (supersteps.h).
  double superstepUs = 0;
  /// Time per process to open the device, compile missing kernels and copy inputs, divided by the
  /// expected runs.
  double openUs = 0;
  TraceSpeed trace; ///< times of a part of the traceback on the device (placed_traceback.h)
};

/// The devices on which operations may be placed, and the times of copies between them.
struct PlacementSite {
  std::vector<PlacementDevice> devices; ///< the CPU first, then GPUs in the order of their numbers
  /// From each device to each, by their places: entry `from * devices.size() + to`. Link::us is
  /// also the time of the states of all tables that go to a GPU in a superstep.
  std::vector<Link> links;
  /// Time per process in which the CPU touches its tables for the first time, divided by the
  /// expected runs. Methods are compared with it; it is no part of the time of a run.
  double touchUs = 0;

  /// Returns the place of a device, which must be in the list.
  size_t at(DeviceId device) const;
  /// Returns the least PlacementDevice::openUs of a GPU; infinity without GPUs.
  double openUs() const;
  const Link &link(DeviceId from, DeviceId to) const {
    return links[at(from) * devices.size() + at(to)];
  }
};

struct TaskPlacement {
  std::vector<DeviceId> devices; ///< by operation

  bool uses(DeviceId device) const;
  bool usesGpu() const;
  /// Whether several devices have operations.
  bool isMixed() const;
  bool operator==(const TaskPlacement &) const = default;
};

} // namespace mpf
