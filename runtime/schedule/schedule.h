// SCHEDULE: the steps of a run in order, each with its device, as plain data. --emit=schedule
// prints it.
//
// An executor runs the steps of its device in list order. Copies between devices are separate
// steps; a schedule for the CPU has none. A schedule for both devices is cut into supersteps
// (placement/supersteps.h). Within a superstep, each device runs its operations without waiting for
// the other. The copies at its end are made when both are done.
#pragma once

#include "codegen/bundle/bundle.h"

#include <string>
#include <vector>

namespace mpf {

enum class StepKind {
  Upload,   ///< buffer: host memory -> device
  Run,      ///< operation on `device`
  Download, ///< buffer: device -> host memory
  Repeat,   ///< repeats the steps up to its EndRepeat for every state of a sliced variable
  EndRepeat,
  EndSuperstep, ///< both devices wait for each other, then the copies before it are made
};

enum class StepDevice { Cpu, Gpu };

struct ScheduleStep {
  StepKind kind = StepKind::Run;
  StepDevice device = StepDevice::Cpu;
  uint32_t index = 0; ///< index into Bundle::operations (Run), Bundle::sliced (repeats) or
                      ///< Bundle::buffers (copies)
};

struct Schedule {
  std::vector<ScheduleStep> steps; ///< in order of execution
};

} // namespace mpf
