// A bound on the joint states that a step of a traceback looks at.
#pragma once

#include <cstdint>

namespace mpf {

/// Most joint states of the variable that a step chooses and of the variables that it leaves open,
/// which were eliminated jointly with it. One block of a GPU looks at all of them.
inline constexpr uint64_t kMostJointStates = 4096;

} // namespace mpf
