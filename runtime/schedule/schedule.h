// SCHEDULE: what is done where, in which order, as plain data. The text form is --emit=schedule.
//
// An executor runs the steps of its device in list order; what crosses between devices is an
// explicit step. A schedule for the CPU alone has no copies: it shares the host's memory.
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
};

enum class StepDevice { Cpu, Gpu };

struct ScheduleStep {
  StepKind kind = StepKind::Run;
  StepDevice device = StepDevice::Cpu;
  uint32_t index = 0; ///< Run: into Bundle::operations; repeats: into Bundle::sliced;
                      ///< otherwise: into Bundle::buffers
};

struct Schedule {
  std::vector<ScheduleStep> steps; ///< in order of execution
};

} // namespace mpf
