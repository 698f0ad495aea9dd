// TIME LINE of a placement: what each device is predicted to do, and when. It follows the
// supersteps (supersteps.h): both devices begin one together. What comes down stands behind the
// GPU, what goes up behind the CPU, beside the GPU; where other results have its memory, behind
// both (execute/hybrid). The states of all that go up are one copy more. Behind the last superstep
// assignments are traced back, by one device after the other.
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
  /// Cpu, Gpu: the operations of a task, consecutive in the bundle; none: the GPU is started and
  /// waited for, or assignments are traced back.
  uint32_t first = 0, count = 0;
  uint32_t tracedSteps = 0; ///< of the traceback (placed_traceback.h)
  BufferId table = {};      ///< Uploads, Downloads: what crosses
  double bytes = 0;
};

struct Timeline {
  std::vector<TimelineBar> bars; ///< by superstep; those of a lane follow one another
  double endUs = 0;
  double openUs = 0; ///< the GPU's part of what happens once, before the first bar

  double totalUs() const { return openUs + endUs; } ///< predicted time of one run
};

/// `devices`, `supersteps`: by task. Linear.
Timeline timelineOf(const PlacementTasks &tasks, const std::vector<StepDevice> &devices,
                    const std::vector<uint32_t> &supersteps, const TransferTimes &transfers);

} // namespace mpf
