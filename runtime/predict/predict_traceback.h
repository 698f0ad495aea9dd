// Predicted time of a traceback (Bundle::traceback). Each step chooses the state of one variable;
// steps run one after the other.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/machine/trace_speed.h"
#include "runtime/schedule/schedule.h"

namespace mpf {

/// Returns the times on the CPU, or on `gpu`.
TraceSpeed traceSpeed(StepDevice device, const GpuSpeed &gpu);

/// Returns the time of the traceback of a run with all operations on one device.
double tracebackUs(const Bundle &bundle, StepDevice device, const GpuSpeed &gpu);

} // namespace mpf
