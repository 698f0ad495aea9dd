// SCHEDULE: the steps of a run in order, each with its device, as plain data. --emit=schedule
// prints it.
//
// An executor runs the steps of its device in list order. Copies between devices are separate
// steps; a schedule for the CPU has none. A schedule for several devices is cut into supersteps
// (placement/supersteps.h). Within a superstep, each device runs its operations without waiting for
// others. The copies at its end are made when all are done.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/machine/device_id.h"

#include <string>
#include <vector>

namespace mpf {

enum class StepKind {
  Run,    ///< operation on `device`
  Copy,   ///< buffer: from `device` to `to`
  Repeat, ///< repeats the steps up to its EndRepeat for every state of a sliced variable
  EndRepeat,
  EndSuperstep, ///< all devices wait for each other, then the copies before it are made
};

struct ScheduleStep {
  StepKind kind = StepKind::Run;
  DeviceId device = DeviceId::cpu();
  uint32_t index = 0; ///< index into Bundle::operations (Run), Bundle::sliced (repeats) or
                      ///< Bundle::buffers (Copy)
  DeviceId to = DeviceId::cpu(); ///< Copy: the device that gets the table

  /// Whether the step copies a table of `from` to another device.
  bool copiesFrom(DeviceId from) const { return kind == StepKind::Copy && device == from; }
};

struct Schedule {
  std::vector<ScheduleStep> steps; ///< in order of execution
};

} // namespace mpf
