// How much memory rows of cases take on their way from the list to the answers, and what follows
// from it: how many threads read and write them, how large blocks are. A list is answered in little
// memory too, more slowly.
#pragma once

#include <cstdint>

namespace mpf::driver {

/// What the threads of a run do.
enum class StreamThreads {
  AllDoJobs,         ///< each takes jobs from end to end (case_pipeline.h)
  SomeParseOrAnswer, ///< a list's own threads parse its rows, or an engine's own answer them
};

/// A list has these whatever is left, beside the caller: where threads are few, one that reads, one
/// that makes text.
inline constexpr unsigned kSureStreamThreads = 2;

struct StreamMemory {
  unsigned parseThreads = 1; ///< of the list; 1: the one that reads them
  unsigned threads = 1;      ///< of the pipeline
  uint64_t jobBytes = 0;     ///< of one job, about
  uint64_t mostJobBytes = 0; ///< of one whose rows are so long that an engine would idle
};

/// How `bytes` are divided for a list that is answered by `threads`. More bytes never give fewer
/// threads or smaller jobs.
StreamMemory divideStream(unsigned threads, uint64_t bytes, StreamThreads kind);

/// The bytes beyond which nothing gets larger.
uint64_t wantedStreamBytes(unsigned threads);

} // namespace mpf::driver
