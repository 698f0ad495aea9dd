// Predicted times of tracebacks (Bundle::traceback), from the speed of a device.
#pragma once

#include "codegen/machine/gpu_speed.h"

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

TraceSpeed cpuTraceSpeed();
TraceSpeed gpuTraceSpeed(const GpuSpeed &gpu);

} // namespace mpf
