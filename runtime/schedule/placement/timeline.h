// TIME LINE of a placement: the predicted begin and end of every task and copy. All devices begin a
// superstep (supersteps.h) together.
// - Tables of a GPU are copied after its tasks.
// - Tables of the CPU are copied after its tasks, and overlap the GPUs' tasks. Those that share
//   memory with other results are copied after all tasks and other copies
//   (runtime/execute/hybrid). The states of all tables that go to a GPU are one more copy.
// - After the last superstep assignments are traced back, by one device after the other.
#pragma once

#include "runtime/schedule/placement/placement_tasks.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mpf {

struct TimelineBar {
  DeviceId device = DeviceId::cpu(); ///< runs the bar; a copy: the device whose table it is
  std::optional<DeviceId> to;        ///< a copy: the device that gets the table
  uint32_t superstep = 0;
  double startUs = 0, endUs = 0;
  /// The operations of a task, consecutive in the bundle. A bar without operations is a copy,
  /// starting a GPU and waiting for it, or a part of the traceback.
  uint32_t first = 0, count = 0;
  uint32_t tracedSteps = 0; ///< number of steps of the traceback (placed_traceback.h)
  BufferId table = {};      ///< a copy: the table that crosses
  double bytes = 0;         ///< size of this table
};

struct Timeline {
  /// Bars by superstep. Those of a device, and those of a link, follow one another.
  std::vector<TimelineBar> bars;
  double endUs = 0;
  double openUs = 0; ///< time before the first bar: PlacementDevice::openUs of all used GPUs

  double totalUs() const { return openUs + endUs; } ///< predicted time of one run
};

/// Returns the time line of a placement. `devices`, `supersteps`: by task. Linear.
Timeline timelineOf(const PlacementTasks &tasks, const std::vector<DeviceId> &devices,
                    const std::vector<uint32_t> &supersteps, const PlacementSite &site);

} // namespace mpf
