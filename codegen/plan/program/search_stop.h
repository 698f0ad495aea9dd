// Decides when a search for orders ends: after a number of rounds, at a time, when a signal sets a
// flag, or when the watched call is cancelled.
//
// Time and signals decide only how many whole rounds run, unless they come before the first greedy
// run is done (SearchEffort::truncated). What a round finds depends only on the seed and on the
// rounds before it. So with the same build, the same number of rounds gives the same order, with
// any number of threads. Another C++ or mathematics library, or a build without METIS, may give
// another order.
#pragma once

#include "dsl/support/system/watched_call.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace mpf {

/// The limits of a search. A plain value, part of PlanOptions.
struct SearchLimits {
  /// Run exactly this many rounds, however long they take: this repeats an earlier search. Then
  /// `seconds` has no effect.
  std::optional<uint64_t> rounds;
  /// Search for about this many seconds, or less where more cannot pay (search_components.h). The
  /// search for slices is included: when no order fits the memory bound, the search for orders ends
  /// after half of the time. One plan is made in any case. Without `seconds`, search as long as it
  /// may save time.
  std::optional<double> seconds;
  /// The caller's deadline, shared by all searches of a command: the search ends then in any case,
  /// even before `rounds`.
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  /// When a signal handler or another thread sets it, the search ends soon with the best order so
  /// far. May be null; must outlive the search.
  const std::atomic<bool> *stop = nullptr;
  unsigned threads = 0; ///< 0: one per core; never changes what a round finds
};

/// Returns limits with the deadline that was set when the time began, without a new time.
inline SearchLimits untimed(SearchLimits limits) {
  limits.seconds.reset();
  return limits;
}

/// The moment `seconds` from now; at most three years ahead.
inline std::chrono::steady_clock::time_point deadlineAfter(double seconds) {
  using Clock = std::chrono::steady_clock;
  constexpr double kLongest = 1e8;
  const std::chrono::duration<double> time(std::clamp(seconds, 0.0, kLongest));
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
}

/// When the searches end that are made for one query. A plain value; the default is never.
struct SearchTime {
  /// The end of the call that the searches are made for.
  std::chrono::steady_clock::time_point ends = std::chrono::steady_clock::time_point::max();
  /// Searches may take this share, from 0 to 1, of the time that is left until `ends`.
  double share = 1;

  /// Returns the deadline of searches that begin now: `ends` if the share is 1.
  std::chrono::steady_clock::time_point deadline() const {
    using Clock = std::chrono::steady_clock;
    if (share == 1)
      return ends;
    const Clock::time_point now = Clock::now();
    const Clock::duration left = std::max(ends - now, Clock::duration::zero());
    return now + std::chrono::duration_cast<Clock::duration>(left * share);
  }
};

/// Decides whether a search must end by its time or flag; rounds are counted elsewhere. Cheap;
/// immutable, so several threads may ask it. The time of SearchLimits::seconds starts when the
/// object is constructed.
class SearchStop {
public:
  explicit SearchStop(const SearchLimits &limits)
      : stop_(limits.stop), call_(currentCall()), deadline_(limits.deadline) {
    if (!limits.seconds || limits.rounds)
      return;
    deadline_ = std::min(deadline_, deadlineAfter(*limits.seconds));
    halfTime_ = deadlineAfter(*limits.seconds / 2);
  }
  bool now() const {
    return (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) ||
           (call_ != nullptr && call_->isCancelled.load(std::memory_order_relaxed)) ||
           (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_);
  }

  /// True when half of SearchLimits::seconds is over; false when no seconds were given.
  bool halfOver() const {
    return halfTime_ != Clock::time_point::max() && Clock::now() >= halfTime_;
  }

private:
  using Clock = std::chrono::steady_clock;

  const std::atomic<bool> *stop_;
  const CallState *call_; ///< the watched call for which the search is made; null: none
  Clock::time_point deadline_;
  Clock::time_point halfTime_ = Clock::time_point::max();
};

} // namespace mpf
