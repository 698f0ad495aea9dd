// Prints a schedule as text (--emit=schedule), one step per line.
#pragma once

#include "runtime/schedule/schedule.h"

namespace mpf {

/// A line reads "run cpu sum x [sum-product] f at input+0, m1 at work+256 -> m2 at work+0".
std::string printSchedule(const Schedule &schedule, const Bundle &bundle);

} // namespace mpf
