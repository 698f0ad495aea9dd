// The executor of a program on two devices: it runs a schedule in supersteps
// (runtime/schedule/placement/supersteps.h), in each of which the device is started, the host does
// its own part meanwhile, both wait for each other, and tables cross with their scales: all that go
// one way in one call. Those of the host whose memory no other result has go up beside what the
// device does, so the one wait for that is one for them too.
//
// Within a superstep no operation waits for the other device, and none could begin before the one
// it is in: each is in the first in which all that it needs has crossed and its memory is free.
#pragma once

#include "runtime/execute/host/executor.h"

#include <memory>

namespace mpf {

/// `host` is for `bundle` and runs the steps of StepDevice::Cpu; `device` runs those of
/// StepDevice::Gpu, and its work arena has the same layout, for which the supersteps were made.
/// Each has the memory of all tables. Schedules are those of placedSchedule. For the
/// same schedule results have the same bits. Assignments are traced back where the operations ran
/// (runtime/schedule/placement/placed_traceback.h): between two parts only states cross.
std::unique_ptr<Executor> makeHybridExecutor(std::shared_ptr<const Bundle> bundle,
                                             std::unique_ptr<Executor> host,
                                             std::unique_ptr<Executor> device);

} // namespace mpf
