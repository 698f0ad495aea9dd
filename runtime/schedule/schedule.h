// SCHEDULE: which steps run on which device in which order, as plain data. --emit=schedule prints
// it.
//
// An executor runs the steps of its device in list order. Copies between devices are steps of their
// own. A schedule for the CPU has none: it uses the host's memory. A schedule for both devices is
// cut into supersteps (placement/supersteps.h): within one, each device runs its operations without
// regard to the other; the copies at its end are made when both have done so.
#pragma once

#include "codegen/bundle/bundle.h"

#include <string>
#include <vector>

namespace mpf {

enum class StepKind {
  Upload,   ///< buffer: host memory -> device
  Run,      ///< operation on `device`
  Download, ///< buffer: device -> host memory
  Repeat,   ///< the steps up to its EndRepeat, once for every state of a sliced variable
  EndRepeat,
  EndSuperstep, ///< both devices wait for each other, then the copies above are made
};

enum class StepDevice { Cpu, Gpu };

struct ScheduleStep {
  StepKind kind = StepKind::Run;
  StepDevice device = StepDevice::Cpu;
  uint32_t index = 0; ///< Run: into Bundle::operations; repeats: into Bundle::sliced;
                      ///< copies: into Bundle::buffers
};

struct Schedule {
  std::vector<ScheduleStep> steps; ///< in order of execution
};

} // namespace mpf
