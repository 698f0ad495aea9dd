// TIME LINE of a placement: the predicted begin and end of every task and copy. Both devices begin
// a superstep (supersteps.h) together.
// - Tables come down after the GPU's tasks.
// - Tables go up after the CPU's tasks, and overlap the GPU's. Tables that share memory with other
//   results go up after both (runtime/execute/hybrid). The states of all tables that go up are one
//   more copy.
// - After the last superstep assignments are traced back, by one device after the other.
#pragma once

#include "runtime/schedule/placement/placement_tasks.h"

#include <cstdint>
#include <vector>

namespace mpf {

enum class TimelineLane { Cpu, Gpu, Uploads, Downloads };

struct TimelineBar {
  TimelineLane lane = TimelineLane::Cpu;
  uint32_t superstep = 0;
  double startUs = 0, endUs = 0;
  /// Cpu, Gpu: the operations of a task, consecutive in the bundle. A bar without operations is
  /// starting the GPU and waiting for it, or a part of the traceback.
  uint32_t first = 0, count = 0;
  uint32_t tracedSteps = 0; ///< number of steps of the traceback (placed_traceback.h)
  BufferId table = {};      ///< Uploads, Downloads: the table that crosses
  double bytes = 0;         ///< size of this table
};

struct Timeline {
  std::vector<TimelineBar> bars; ///< by superstep; those of a lane follow one another
  double endUs = 0;
  double openUs = 0; ///< TransferTimes::openUs if the GPU is used: time before the first bar

  double totalUs() const { return openUs + endUs; } ///< predicted time of one run
};

/// Returns the time line of a placement. `devices`, `supersteps`: by task. Linear.
Timeline timelineOf(const PlacementTasks &tasks, const std::vector<StepDevice> &devices,
                    const std::vector<uint32_t> &supersteps, const TransferTimes &transfers);

} // namespace mpf
