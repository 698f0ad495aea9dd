// Predicted time of tracing assignments back (Bundle::traceback): steps that choose a variable's
// state each, one after the other, whatever else the device could do meanwhile.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/machine/machine_speed.h"
#include "runtime/schedule/schedule.h"

#include <cstddef>

namespace mpf {

/// Microseconds of a traceback that one device takes without regard to another.
struct TraceSpeed {
  double stepUs = 0; ///< of a step
  double partUs = 0; ///< of all together, beside that: states go up and come down, the device is
                     ///< started and waited for; 0 on the CPU

  /// 0 where there are no steps.
  double timeUs(size_t steps) const {
    return steps == 0 ? 0 : partUs + stepUs * static_cast<double>(steps);
  }
};

TraceSpeed traceSpeed(StepDevice device, const GpuSpeed &gpu);

/// Of a run with all operations on that device.
double tracebackUs(const Bundle &bundle, StepDevice device, const GpuSpeed &gpu);

} // namespace mpf
