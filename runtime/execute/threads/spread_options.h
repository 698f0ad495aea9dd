// Decides which work of a run is spread over threads, and into how many parts.
#pragma once

#include "codegen/machine/cpu_speed.h"

#include <algorithm>
#include <cstddef>

namespace mpf {

/// Thresholds for spreading work over threads. Results do not depend on them; tests spread as
/// finely as possible. Times are those of one thread.
struct SpreadOptions {
  double leastRunNs = 150'000;   ///< least time of a run (or slice) that is spread as tasks
  double unitNs = 20'000;        ///< time of a unit of tasks; taking one costs some 0.3 us
  double leastSharedNs = 20'000; ///< least time of an operation that several threads share
  double partNs = 5'000;         ///< least time of a part of a shared operation
  ThreadCosts costs;             ///< costs that decide the number of threads (spread_plan.h)
  double findTasksNs = 250;      ///< time to find the tasks of a run, for each operation (measured)
};

/// Returns the number of parts of an operation that takes one thread `timeNs`, when `threads`
/// threads already work.
inline size_t partCount(double timeNs, size_t threads, const SpreadOptions &spread) {
  if (threads == 1 || timeNs < spread.leastSharedNs)
    return 1;
  const double most = 4.0 * static_cast<double>(threads);
  return static_cast<size_t>(std::max(1.0, std::min(most, timeNs / spread.partNs)));
}

/// Returns how many of `threads` threads share an operation that takes one thread `timeNs`.
inline double sharers(double timeNs, size_t threads, const SpreadOptions &spread) {
  return static_cast<double>(std::min(threads, partCount(timeNs, threads, spread)));
}

/// True if waking threads, some 10 us, pays for one operation alone.
inline bool worthWaking(double timeNs) { return timeNs >= 100'000; }

} // namespace mpf
