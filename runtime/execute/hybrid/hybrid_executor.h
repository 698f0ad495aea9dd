// The executor of a program on several devices. It runs a schedule in supersteps
// (runtime/schedule/placement/supersteps.h). In each, the other devices are started, the host runs
// its part meanwhile, and all wait for each other. Then tables cross with their scales: all tables
// from one device to another in one call. Tables between two GPUs go through the host's memory.
//
// A table of the host is uploaded while the devices work if no other result shares its memory. Then
// the wait for the devices covers the upload too.
//
// Within a superstep no operation waits for another device. Each operation is in the first
// superstep in which all its operands have crossed and its memory is free.
#pragma once

#include "runtime/execute/host/executor.h"

#include <memory>
#include <vector>

namespace mpf {

/// An executor, and the device whose steps it runs.
struct DeviceExecutor {
  DeviceId device;
  std::unique_ptr<Executor> executor;
};

/// Makes the executor. `executors` run the steps of `bundle`; the first is the CPU's. Their work
/// arenas have equal layouts, for which the supersteps were made, and each has the memory of all
/// tables. Schedules are those of placedSchedule. Equal schedules give
/// results with equal bits.
///
/// Assignments are traced back where the operations ran
/// (runtime/schedule/placement/placed_traceback.h): between two parts only states cross.
std::unique_ptr<Executor> makeHybridExecutor(std::shared_ptr<const Bundle> bundle,
                                             std::vector<DeviceExecutor> executors);

} // namespace mpf
