// The executor of a program on two devices: it runs a schedule in supersteps
// (runtime/schedule/placement/supersteps.h), in each of which the device is started, the host does
// its own part meanwhile, both wait for each other, and tables cross with their scales.
#pragma once

#include "runtime/execute/host/executor.h"

#include <memory>

namespace mpf {

/// `host` is for `bundle` and runs the steps of StepDevice::Cpu; `device` runs those of
/// StepDevice::Gpu, and its work arena has the same layout, for which the supersteps were made.
/// Each has the memory of all tables. Schedules are those of placedSchedule. For the
/// same schedule results have the same bits. Assignments are decoded on the host, but for sliced
/// programs, which run on one device.
std::unique_ptr<Executor> makeHybridExecutor(std::shared_ptr<const Bundle> bundle,
                                             std::unique_ptr<Executor> host,
                                             std::unique_ptr<Executor> device);

} // namespace mpf
