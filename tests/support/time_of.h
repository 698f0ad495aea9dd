// How long a call takes, for tests that a time is linear. Their inputs are so large that a time
// that grows with the square is above a minute.
#pragma once

#include <chrono>
#include <functional>

namespace mpf {

/// A linear time is below this one on any machine.
inline constexpr double kMostLinearSeconds = 20;

inline double secondsOf(const std::function<void()> &call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace mpf
