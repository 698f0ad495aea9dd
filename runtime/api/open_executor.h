// Device name -> executor: the one place that knows which devices there are.
#pragma once

#include "runtime/api/mpf.h"
#include "runtime/execute/host/executor.h"

namespace mpf {

struct OpenedExecutor {
  std::unique_ptr<Executor> executor;
  StepDevice device = StepDevice::Cpu;
};

/// Throws Error(Usage) for an unknown device and Error(Device) for one that is not there.
/// "auto" takes the CPU where there is nothing better.
OpenedExecutor openExecutor(const Bundle &bundle, const SessionOptions &options);

} // namespace mpf
