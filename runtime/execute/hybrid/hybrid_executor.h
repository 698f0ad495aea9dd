// The executor of a program on two devices. It runs a schedule in supersteps
// (runtime/schedule/placement/supersteps.h). In each, the device is started, the host runs its part
// meanwhile, and both wait for each other. Then tables cross with their scales: all tables of one
// direction in one call.
//
// A table of the host is uploaded while the device works if no other result shares its memory. Then
// the wait for the device covers the upload too.
//
// Within a superstep no operation waits for the other device. Each operation is in the first
// superstep in which all its operands have crossed and its memory is free.
#pragma once

#include "runtime/execute/host/executor.h"

#include <memory>

namespace mpf {

/// Makes the executor. `host` runs the steps of StepDevice::Cpu of `bundle`; `device` runs those of
/// StepDevice::Gpu. Their work arenas have equal layouts, for which the supersteps were made, and
/// each has the memory of all tables. Schedules are those of placedSchedule. Equal schedules give
/// results with equal bits.
///
/// Assignments are traced back where the operations ran
/// (runtime/schedule/placement/placed_traceback.h): between two parts only states cross.
std::unique_ptr<Executor> makeHybridExecutor(std::shared_ptr<const Bundle> bundle,
                                             std::unique_ptr<Executor> host,
                                             std::unique_ptr<Executor> device);

} // namespace mpf
