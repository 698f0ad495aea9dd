// How many joint states a step of a traceback may look at.
#pragma once

#include <cstdint>

namespace mpf {

/// Of the variable that a step chooses and of those that it leaves open, which were eliminated
/// jointly with it. One block of a GPU looks at them.
inline constexpr uint64_t kMostJointStates = 4096;

} // namespace mpf
