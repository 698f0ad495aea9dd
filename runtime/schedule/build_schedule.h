// Builds the schedule (schedule.h) of a bundle.
#pragma once

#include "runtime/schedule/schedule.h"

namespace mpf {

/// Puts every operation on `device`, in bundle order; loops of a sliced program become nested
/// repeats. On the GPU the inputs are uploaded before the operations and the outputs downloaded
/// after them.
Schedule buildSchedule(const Bundle &bundle, StepDevice device);

} // namespace mpf
