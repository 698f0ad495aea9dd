// The number of threads, with one limit for the command line and for sessions.
#pragma once

#include "dsl/support/error.h"

#include <algorithm>
#include <thread>

namespace mpf {

inline constexpr unsigned kMostThreads = 1024;

/// Throws Error(Usage) with the name `option` for more than kMostThreads threads. 0, which stands
/// for one thread per core, is allowed.
inline void checkThreads(const char *option, unsigned threads) {
  if (threads > kMostThreads)
    fail(ErrorKind::Usage, "{} {}: expected a whole number from 1 to {}", option, threads,
         kMostThreads);
}

/// `asked` threads, or one per core if that is 0; at most kMostThreads.
inline unsigned threadCount(unsigned asked) {
  return std::clamp(asked != 0 ? asked : std::thread::hardware_concurrency(), 1U, kMostThreads);
}

} // namespace mpf
