// When a search for orders ends: after a number of rounds, by a clock, or by a flag that a signal
// sets.
//
// Time and signals decide only how many whole rounds run. What a round finds depends only on the
// seed and on the rounds before it. So with the same build, the same number of rounds gives the
// same order, with any number of threads. Another C++ or mathematics library, or a build without
// METIS, may give another order.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace mpf {

/// A plain value, part of PlanOptions.
struct SearchLimits {
  /// Run exactly this many rounds, however long they take: this repeats an earlier search.
  std::optional<uint64_t> rounds;
  /// Search for this long, including the search for slices (it gets half of the time when no order
  /// fits the memory bound, or what is left; one plan is made in any case). Without it, search as
  /// long as it may save time (search_components.h).
  std::optional<double> seconds;
  /// The caller's deadline, shared by all searches of a command: the search ends then in any case,
  /// even before `rounds`.
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  /// Ends the search soon with the best order so far, when set by a signal handler or another
  /// thread; may be null. Outlives the search.
  const std::atomic<bool> *stop = nullptr;
  unsigned threads = 0; ///< 0: one per core; never changes what is found
};

/// The moment `seconds` from now; at most three years ahead.
inline std::chrono::steady_clock::time_point deadlineAfter(double seconds) {
  using Clock = std::chrono::steady_clock;
  constexpr double kLongest = 1e8;
  const std::chrono::duration<double> time(std::clamp(seconds, 0.0, kLongest));
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
}

/// Says whether a search must end. Cheap; may be asked from several threads. The clock of
/// SearchLimits::seconds starts when the object is made.
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

  /// True when half of SearchLimits::seconds is over; false when no seconds were given.
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
