// The processor time of a call, for tests that a time is linear. Their inputs are so large that a
// time that grows with the square is above a minute.
#pragma once

#include <ctime>
#include <functional>

namespace mpf {

/// A linear time is below this one on any machine.
inline constexpr double kMostLinearSeconds = 20;

/// Returns the seconds of all threads: other programs of a busy machine do not add to them.
inline double secondsOf(const std::function<void()> &call) {
  const std::clock_t start = std::clock();
  call();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

} // namespace mpf
