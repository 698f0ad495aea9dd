// When a search for orders ends: by rounds (can be repeated), by a clock, by someone's flag.
//
// Time and signals decide only how many whole rounds are run; what a round finds depends on the
// seed and the rounds before it alone. So with the same build the same number of rounds gives the
// same order, with any number of threads. Another C++ or mathematics library, or a build without
// METIS, may give another one.
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
  /// Search so long, for slices too (they get the half of it when no order fits the memory bound,
  /// or what is left; one plan is made in any case); without it, as long as it may pay
  /// (search_parts.h).
  std::optional<double> seconds;
  /// The search ends then in any case, even before `rounds`: a deadline of the caller, shared by
  /// all searches of a command.
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  /// Ends the search soon with the best order so far, when set by a signal handler or another
  /// thread; may be null. Outlives the search.
  const std::atomic<bool> *stop = nullptr;
  unsigned threads = 0; ///< 0: one per core; never changes what is found
};

/// From now on; times beyond three years are three years.
inline std::chrono::steady_clock::time_point deadlineAfter(double seconds) {
  using Clock = std::chrono::steady_clock;
  constexpr double kLongest = 1e8;
  const std::chrono::duration<double> time(std::clamp(seconds, 0.0, kLongest));
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
}

/// Asked often, from several threads; starts counting when it is made.
class SearchStop {
public:
  explicit SearchStop(const SearchLimits &limits) : stop_(limits.stop), deadline_(limits.deadline) {
    if (!limits.seconds || limits.rounds)
      return;
    deadline_ = std::min(deadline_, deadlineAfter(*limits.seconds));
    halfTime_ = deadlineAfter(*limits.seconds / 2);
  }
  bool now() const {
    return (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) ||
           (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_);
  }

  /// Half of the time is over; never where none was given.
  bool halfOver() const {
    return halfTime_ != Clock::time_point::max() && Clock::now() >= halfTime_;
  }

private:
  using Clock = std::chrono::steady_clock;

  const std::atomic<bool> *stop_;
  Clock::time_point deadline_;
  Clock::time_point halfTime_ = Clock::time_point::max();
};

} // namespace mpf
