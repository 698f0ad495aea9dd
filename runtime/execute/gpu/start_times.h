// Measures the parts of a GPU's start in this process, over all threads, for people who want to
// know where a short process spends its time.
#pragma once

#include <chrono>
#include <string_view>
#include <utility>
#include <vector>

namespace mpf {

enum class StartPart {
  Driver,    ///< libcuda is opened and initialised
  Context,   ///< the primary context is made
  Wait,      ///< threads wait for the thread that makes driver and context (device_start.h)
  Compile,   ///< kernels are compiled, or read from the cache
  Modules,   ///< modules are loaded and their functions found
  Memory,    ///< memory of the device is allocated
  FirstCopy, ///< the first copy to the device
  End,       ///< the context is released
};

/// Adds its lifetime to the time of `part`. Only the first timer of FirstCopy counts. Thread-safe.
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

/// Returns the name and microseconds of every part that occurred, in the order above. Thread-safe.
std::vector<std::pair<std::string_view, double>> startTimes();

} // namespace mpf
