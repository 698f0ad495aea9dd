// Builds the schedule (schedule.h) of a bundle.
#pragma once

#include "runtime/schedule/schedule.h"

#include <functional>

namespace mpf {

/// Puts every operation on `device`, in bundle order; loops of a sliced program become nested
/// repeats. On a GPU the inputs are uploaded before the operations and the outputs downloaded
/// after them.
Schedule buildSchedule(const Bundle &bundle, DeviceId device);

/// Adds steps for the operations for which `runs` is true, in bundle order, with the repeats around
/// them.
void addRuns(const Bundle &bundle, DeviceId device, const std::function<bool(uint32_t)> &runs,
             Schedule &schedule);

} // namespace mpf
