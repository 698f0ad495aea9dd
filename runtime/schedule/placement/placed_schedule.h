// Builds the schedule (schedule.h) of a program that is spread over several devices.
#pragma once

#include "runtime/schedule/placement/placement.h"
#include "runtime/schedule/schedule.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Returns a schedule of supersteps. `supersteps`: one per operation (superstepsOf). The inputs
/// that GPUs read are copied before the first superstep. Results cross at the end of a
/// superstep:
/// - results that a later superstep, or the traceback (placed_traceback.h), reads on another
///   device;
/// - outputs that a GPU computed.
Schedule placedSchedule(const Bundle &bundle, const TaskPlacement &placement,
                        const std::vector<uint32_t> &supersteps);

} // namespace mpf
