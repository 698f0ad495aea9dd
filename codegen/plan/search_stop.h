// When a search for orders ends: by rounds (can be repeated), by a clock, by someone's flag.
//
// Time and signals decide only how many whole rounds are run; what a round finds depends on the
// seed and the rounds before it alone. So the same number of rounds gives the same order on every
// machine, with any number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace mpf {

/// A plain value, part of PlanOptions.
struct SearchLimits {
  /// Exactly so many rounds, whatever they cost: repeats an earlier search.
  std::optional<uint64_t> rounds;
  /// Search so long; without it, as long as it may pay (order_search.h).
  std::optional<double> seconds;
  /// The search ends after so long in any case, even before `rounds`: a deadline of the caller.
  std::optional<double> atMostSeconds;
  /// Ends the search soon with the best order so far, when set by a signal handler or another
  /// thread; may be null. Outlives the search.
  const std::atomic<bool> *stop = nullptr;
  unsigned threads = 0; ///< 0: one per core; never changes what is found
};

/// Asked often, from several threads; starts counting when it is made.
class SearchStop {
public:
  explicit SearchStop(const SearchLimits &limits)
      : stop_(limits.stop), deadline_(Clock::time_point::max()) {
    if (limits.seconds && !limits.rounds)
      endAfter(*limits.seconds);
    if (limits.atMostSeconds)
      endAfter(*limits.atMostSeconds);
  }
  bool now() const {
    return (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) ||
           (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_);
  }

private:
  using Clock = std::chrono::steady_clock;

  void endAfter(double seconds) {
    constexpr double kLongest = 1e8; // three years
    const std::chrono::duration<double> time(std::clamp(seconds, 0.0, kLongest));
    deadline_ =
        std::min(deadline_, Clock::now() + std::chrono::duration_cast<Clock::duration>(time));
  }

  const std::atomic<bool> *stop_;
  Clock::time_point deadline_;
};

} // namespace mpf
