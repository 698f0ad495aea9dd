// How many threads work: the one cap, of the command line and of sessions.
#pragma once

#include "dsl/support/error.h"

#include <algorithm>
#include <thread>

namespace mpf {

inline constexpr unsigned kMostThreads = 1024;

/// Throws Error(Usage) naming `option` for more than kMostThreads. 0 stands for one per core.
inline void checkThreads(const char *option, unsigned threads) {
  if (threads > kMostThreads)
    fail(ErrorKind::Usage, "{} {}: expected a whole number from 1 to {}", option, threads,
         kMostThreads);
}

/// `asked`, or one per core where that is 0; at most kMostThreads.
inline unsigned threadCount(unsigned asked) {
  return std::clamp(asked != 0 ? asked : std::thread::hardware_concurrency(), 1U, kMostThreads);
}

} // namespace mpf
