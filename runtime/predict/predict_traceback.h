// Predicted time of a traceback (Bundle::traceback). Each step chooses the state of one variable;
// steps run one after the other.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/machine/machine.h"
#include "codegen/machine/trace_speed.h"

namespace mpf {

/// Returns the times of a traceback on a device.
TraceSpeed traceSpeed(const Device &device);

/// Return the time of the traceback of a run with all operations on the CPU, or on a GPU.
double cpuTracebackUs(const Bundle &bundle);
double gpuTracebackUs(const Bundle &bundle, const GpuSpeed &gpu);

} // namespace mpf
