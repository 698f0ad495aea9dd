// PLACEMENT: the device of every operation of a bundle, as plain data.
//
// Operations are placed by *task*: a chain that one kernel may compute, a loop over slices with
// everything in it, or a single operation. place_tasks.h places them. The methods are:
//   - cpu, gpu: every task on that device;
//   - greedy: each task on the device where it takes less time (hybrid-greedy of the Gems chapter,
//     section 4.2 and table 2);
//   - acceleration: the acceleration schedule of the Gems chapter (acceleration_schedule.h), which
//     includes the times of transfers;
//   - auto: the one of these with the least predicted time.
#pragma once

#include "codegen/machine/placement_method.h"
#include "runtime/schedule/schedule.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Predicted microseconds of every operation in one run, all slices, by index into
/// Bundle::operations. Operations that share a launch of a GPU share its time.
struct OperationTimes {
  std::vector<double> cpuUs, gpuUs;
};

/// Predicted times of transfers between two devices.
struct TransferTimes {
  double uploadUs = 0;    ///< fixed time of a copy to the GPU: of a table, or of the states of all
                          ///< tables that go up in a superstep
  double downloadUs = 0;  ///< fixed time of a copy to the host, together with others
  double bytesPerUs = 0;  ///< rate of copies
  double superstepUs = 0; ///< time in which the devices wait for each other (supersteps.h)
  /// Time per process to open the GPU, compile missing kernels and copy inputs, divided by the
  /// expected runs.
  double openUs = 0;
  /// Time per process in which the CPU touches its tables for the first time, divided by the
  /// expected runs. Methods are compared with it; it is no part of the time of a run.
  double touchUs = 0;
  double traceStepUs[2] = {0, 0}; ///< time of a step of the traceback, by StepDevice
  /// Fixed time of a part of the traceback on the GPU (placed_traceback.h): copies of states, and
  /// waiting for the device.
  double tracePartUs = 0;

  double tableUs(double bytes, StepDevice from) const {
    return (from == StepDevice::Gpu ? downloadUs : uploadUs) + bytes / bytesPerUs;
  }
  /// Returns the time of a part of the traceback.
  double traceUs(StepDevice device, size_t steps) const {
    return static_cast<double>(steps) * traceStepUs[static_cast<size_t>(device)] +
           (device == StepDevice::Gpu ? tracePartUs : 0);
  }
};

struct TaskPlacement {
  std::vector<StepDevice> devices; ///< by operation

  bool uses(StepDevice device) const;
  /// Whether both devices have operations.
  bool isMixed() const { return uses(StepDevice::Cpu) && uses(StepDevice::Gpu); }
  bool operator==(const TaskPlacement &) const = default;
};

} // namespace mpf
