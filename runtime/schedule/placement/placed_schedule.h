// Builds the schedule (schedule.h) of a program that is spread over two devices.
#pragma once

#include "runtime/schedule/placement/placement.h"
#include "runtime/schedule/schedule.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Operations on both devices, in supersteps: `supersteps` has one for each operation
/// (superstepsOf). Copied are the inputs that the GPU reads, before the first superstep, and at the
/// end of each one the results that cross: those which a later superstep, or the traceback
/// (placed_traceback.h), reads on the other device, and those of the GPU which are outputs.
Schedule placedSchedule(const Bundle &bundle, const TaskPlacement &placement,
                        const std::vector<uint32_t> &supersteps);

} // namespace mpf
