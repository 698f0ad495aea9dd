// The number of threads, with one limit for the command line and for sessions.
#pragma once

#include "dsl/support/check.h"

#include <algorithm>
#include <optional>

namespace mpf {

inline constexpr unsigned kMostThreads = 1024;

/// Throws Error(Usage) with the name `option` for more than kMostThreads threads. 0, which stands
/// for one thread per core, is allowed.
inline void checkThreads(const char *option, unsigned threads) {
  if (threads > kMostThreads)
    fail(ErrorKind::Usage, "{} {}: expected a whole number from 1 to {}", option, threads,
         kMostThreads);
}

/// Returns how many threads can run at the same time: the number of allowedCores(), but at most the
/// share of the process's control groups (a container's share). A thread beyond a share would stop
/// all others for part of the time. At least 1; asks the system once.
unsigned coreCount();
/// Returns the number of cores that the calling thread, and those that it starts, may run on: its
/// affinity (taskset, sched_setaffinity, a container's set of cores). Hardware threads of one core
/// count separately.
unsigned allowedCores();
/// Returns coreCount() for `cores` and a share of control groups.
unsigned coresWithin(unsigned cores, std::optional<double> share);

/// Returns `asked` threads, or coreCount() if that is 0; at most kMostThreads.
inline unsigned threadCount(unsigned asked) {
  return std::clamp(asked != 0 ? asked : coreCount(), 1U, kMostThreads);
}

} // namespace mpf
