// What the start of a GPU consists of, and how long each part has taken in this process, whichever
// thread did it: for people who want to know where a short process spends its time.
#pragma once

#include <chrono>
#include <string_view>
#include <utility>
#include <vector>

namespace mpf {

enum class StartPart {
  Driver,    ///< libcuda is opened and initialised
  Context,   ///< the primary context is made
  Wait,      ///< of the threads that need them, for the one that makes them (device_start.h)
  Compile,   ///< kernels are compiled, or read from the cache
  Modules,   ///< loaded, and their functions found
  Memory,    ///< of the device is allocated
  FirstCopy, ///< to the device
  End,       ///< the context is given back
};

/// Adds the time of its life to that of `part`; of FirstCopy only the first counts. Thread-safe.
class StartTimer {
public:
  explicit StartTimer(StartPart part) noexcept;
  ~StartTimer();
  StartTimer(const StartTimer &) = delete;
  StartTimer &operator=(const StartTimer &) = delete;

private:
  const StartPart part_;
  const bool counts_;
  const std::chrono::steady_clock::time_point begin_;
};

/// Name and microseconds of every part that there was, in the order above. Thread-safe.
std::vector<std::pair<std::string_view, double>> startTimes();

} // namespace mpf
