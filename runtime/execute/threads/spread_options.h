// Which work of a run is spread over threads, and into how many parts.
#pragma once

#include "runtime/execute/threads/thread_costs.h"

#include <algorithm>
#include <cstddef>

namespace mpf {

/// When work is spread over threads, and how finely. Results do not depend on it; tests have it as
/// fine as can be. Times are of one thread.
struct SpreadOptions {
  double leastRunNs = 150'000;   ///< a run, or a slice of one, that is spread as tasks
  double unitNs = 20'000;        ///< what a thread takes at a time; taking it is some 0.3 us
  double leastSharedNs = 20'000; ///< an operation that several threads share: parts of tasks
  double partNs = 5'000;         ///< a part of it, at least
  ThreadCosts costs;             ///< by which a run gets threads (spread_plan.h)
};

/// Into how many parts to divide an operation that takes one thread `timeNs`, when `threads`
/// threads are at work already.
inline size_t partCount(double timeNs, size_t threads, const SpreadOptions &spread) {
  if (threads == 1 || timeNs < spread.leastSharedNs)
    return 1;
  const double most = 4.0 * static_cast<double>(threads);
  return static_cast<size_t>(std::max(1.0, std::min(most, timeNs / spread.partNs)));
}

/// So many of `threads` threads share it.
inline double sharers(double timeNs, size_t threads, const SpreadOptions &spread) {
  return static_cast<double>(std::min(threads, partCount(timeNs, threads, spread)));
}

/// Whether it is worth to wake threads for one operation alone, which takes some 10 us.
inline bool worthWaking(double timeNs) { return timeNs >= 100'000; }

} // namespace mpf
