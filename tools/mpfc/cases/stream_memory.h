// Divides the memory for rows of cases on their way from the list to the answers. It decides how
// many threads read and write them, and how large blocks are. A list is answered in little memory
// too, more slowly.
#pragma once

#include <cstdint>

namespace mpf::driver {

/// The work of the threads of a run.
enum class StreamThreads {
  AllDoJobs,         ///< each takes jobs from end to end (case_pipeline.h)
  SomeParseOrAnswer, ///< a list's own threads parse its rows, or an engine's own answer them
};

/// The threads that a list has beside the caller however little memory is left: one reads, one
/// makes text.
inline constexpr unsigned kSureStreamThreads = 2;

struct StreamMemory {
  unsigned parseThreads = 1; ///< threads that parse the list; 1: the thread that reads it
  unsigned threads = 1;      ///< threads of the pipeline
  uint64_t jobBytes = 0;     ///< bytes of one job, about
  uint64_t mostJobBytes = 0; ///< bytes of a job if its rows are so long that an engine would idle
};

/// Divides `bytes` for a list that is answered by `threads` threads. More bytes never give fewer
/// threads or smaller jobs.
StreamMemory divideStream(unsigned threads, uint64_t bytes, StreamThreads kind);

/// Returns the bytes beyond which neither jobs nor the number of threads grow.
uint64_t wantedStreamBytes(unsigned threads);

} // namespace mpf::driver
