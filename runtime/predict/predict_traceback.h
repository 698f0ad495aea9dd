// Predicted time of a traceback (Bundle::traceback). Each step chooses the state of one variable;
// steps run one after the other.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/machine/machine_speed.h"
#include "runtime/schedule/schedule.h"

#include <cstddef>

namespace mpf {

/// Times of a traceback, or of a part of it, on one device, in microseconds.
struct TraceSpeed {
  double stepUs = 0; ///< time of a step
  double partUs = 0; ///< fixed time of all steps together: copies of states, starting the device
                     ///< and waiting for it; 0 on the CPU

  /// Returns the time of a part of a traceback; 0 without steps.
  double timeUs(size_t steps) const {
    return steps == 0 ? 0 : partUs + stepUs * static_cast<double>(steps);
  }
};

TraceSpeed traceSpeed(StepDevice device, const GpuSpeed &gpu);

/// Returns the time of the traceback of a run with all operations on one device.
double tracebackUs(const Bundle &bundle, StepDevice device, const GpuSpeed &gpu);

} // namespace mpf
