// How much memory rows of cases take on their way from the list to the answers, and what follows
// from it: how many threads read and write them, how large blocks are. A list is answered in little
// memory too, more slowly.
#pragma once

#include <cstdint>

namespace mpf::driver {

/// A list has these whatever is left: one that reads, one that makes text.
inline constexpr unsigned kSureStreamThreads = 2;

struct StreamMemory {
  unsigned readThreads = 1;   ///< that parse rows; 1: the one that reads them
  unsigned formatThreads = 1; ///< that make text of answers
  uint64_t jobBytes = 0;      ///< of one job, about
  uint64_t mostJobBytes = 0;  ///< of one whose rows are so long that an engine would idle
};

/// How `bytes` are divided for a list that is answered by `threads`. More bytes never give fewer
/// threads or smaller jobs.
StreamMemory divideStream(unsigned threads, uint64_t bytes);

/// The bytes beyond which nothing gets larger.
uint64_t wantedStreamBytes(unsigned threads);

} // namespace mpf::driver
