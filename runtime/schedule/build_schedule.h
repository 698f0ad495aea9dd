// Bundle -> Schedule.
#pragma once

#include "runtime/schedule/schedule.h"

namespace mpf {

/// Every operation on one device, in bundle order; loops of a sliced program as nested repeats. On
/// the GPU: inputs up first, then the operations, then the outputs down.
Schedule buildSchedule(const Bundle &bundle, StepDevice device);

} // namespace mpf
