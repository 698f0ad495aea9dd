#include "tools/mpfc/cases/stream_memory.h"

#include "tools/mpfc/cases/case_pipeline.h"

#include <algorithm>

namespace mpf::driver {

namespace {

constexpr uint64_t kGoodJobBytes = uint64_t{4} << 20, kLargestJobBytes = uint64_t{32} << 20;
/// The most threads that make text of answers; more write no faster.
constexpr unsigned kMostFormatThreads = 8;
/// The stack of a thread, and the rows that it parses.
constexpr uint64_t kThreadBytes = uint64_t{9} << 20;
/// Factor on a job's bytes, because its text grows by doubling.
constexpr uint64_t kJobSlack = 2;
/// Threads take one of kThreadPart parts of all bytes.
constexpr uint64_t kThreadPart = 4;

unsigned mostFormatThreads(unsigned threads) { return std::min(threads, kMostFormatThreads); }

/// Returns the most threads that the pipeline can have.
unsigned mostThreads(unsigned threads, StreamThreads kind) {
  return kind == StreamThreads::AllDoJobs ? threads
                                          : mostFormatThreads(threads) + kSureStreamThreads;
}

} // namespace

StreamMemory divideStream(unsigned threads, uint64_t bytes, StreamThreads kind) {
  const uint64_t forThreads = bytes / kThreadPart, more = forThreads / kThreadBytes;
  StreamMemory memory;
  const auto upTo = [](uint64_t wanted, unsigned most) {
    return static_cast<unsigned>(std::clamp<uint64_t>(wanted, 1, std::max(most, 1U)));
  };
  if (kind == StreamThreads::AllDoJobs) {
    memory.threads = upTo(1 + more, threads);
  } else {
    const uint64_t moreFormat = std::min<uint64_t>(mostFormatThreads(threads) - 1, more / 2);
    memory.threads = static_cast<unsigned>(1 + moreFormat) + kSureStreamThreads;
    memory.parseThreads = upTo(more - moreFormat, threads);
  }
  const uint64_t jobs = caseJobCount(mostThreads(threads, kind));
  const uint64_t perJob = (bytes - forThreads) / jobs / kJobSlack;
  memory.jobBytes = std::min(kGoodJobBytes, perJob);
  memory.mostJobBytes = std::min(kLargestJobBytes, perJob);
  return memory;
}

uint64_t wantedStreamBytes(unsigned threads) {
  const unsigned most = std::max(mostThreads(threads, StreamThreads::AllDoJobs),
                                 mostThreads(threads, StreamThreads::SomeParseOrAnswer));
  const uint64_t jobs = caseJobCount(most) * kJobSlack * kLargestJobBytes;
  return std::max(jobs * kThreadPart / (kThreadPart - 1) + kThreadPart,
                  kThreadPart * kThreadBytes *
                      (threads + 2 * uint64_t{mostFormatThreads(threads)}));
}

} // namespace mpf::driver
