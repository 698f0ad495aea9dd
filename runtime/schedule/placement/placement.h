// PLACEMENT: the device of every operation of a bundle, as plain data.
//
// Operations are placed by *task*: a chain that one kernel may compute, a loop over slices with
// everything in it, or a single operation. Made by place_tasks.h, by one of these methods:
//   - cpu, gpu: every task on that device;
//   - greedy: each task where it alone takes the least time (hybrid-greedy of the Gems chapter,
//     section 4.2 and table 2);
//   - acceleration: the acceleration schedule of the Gems chapter (acceleration_schedule.h), which
//     weighs the transfers too;
//   - auto: the one of these with the least predicted time.
#pragma once

#include "runtime/schedule/schedule.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace mpf {

enum class PlacementMethod { Auto, Cpu, Gpu, Greedy, Acceleration };

struct PlacementMethodName {
  PlacementMethod method;
  std::string_view name;
};
/// Every method with the name that options and texts have for it.
std::span<const PlacementMethodName> placementMethods();
/// Throws Error(Usage), naming the known ones, for an unknown name.
PlacementMethod placementMethodNamed(std::string_view name);
std::string_view placementMethodName(PlacementMethod method);

/// Predicted microseconds of every operation, by index into Bundle::operations: of all times that
/// it runs in one run. Operations of a GPU that share a launch share its time.
struct OperationTimes {
  std::vector<double> cpuUs, gpuUs;
};

/// Predicted times of what happens between two devices.
struct TransferTimes {
  double uploadUs = 0;    ///< of one copy to the GPU, whatever its size: of a table, or of the
                          ///< states of all that go up in a superstep
  double downloadUs = 0;  ///< of one to the host: those of a superstep come down together
  double bytesPerUs = 0;  ///< of a table
  double superstepUs = 0; ///< the devices wait for each other (supersteps.h)
  /// The GPU's part in one run of what each process does once: opening, compiling what the machine
  /// lacks, inputs.
  double openUs = 0;
  /// Of a step of the traceback, by StepDevice; and of each part of it on the GPU, beside that
  /// (placed_traceback.h): states go up and come down, the device is waited for.
  double traceStepUs[2] = {0, 0};
  double tracePartUs = 0;

  double tableUs(double bytes, StepDevice from) const {
    return (from == StepDevice::Gpu ? downloadUs : uploadUs) + bytes / bytesPerUs;
  }
  /// Of a part of the traceback.
  double traceUs(StepDevice device, size_t steps) const {
    return static_cast<double>(steps) * traceStepUs[static_cast<size_t>(device)] +
           (device == StepDevice::Gpu ? tracePartUs : 0);
  }
};

struct TaskPlacement {
  std::vector<StepDevice> devices; ///< by operation

  bool uses(StepDevice device) const;
  /// Operations on both devices.
  bool isMixed() const { return uses(StepDevice::Cpu) && uses(StepDevice::Gpu); }
  bool operator==(const TaskPlacement &) const = default;
};

} // namespace mpf
