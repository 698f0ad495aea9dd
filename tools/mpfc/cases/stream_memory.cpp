#include "tools/mpfc/cases/stream_memory.h"

#include "dsl/formats/cases/placed_cases.h"
#include "tools/mpfc/cases/case_pipeline.h"

#include <algorithm>

namespace mpf::driver {

namespace {

constexpr uint64_t kGoodJobBytes = uint64_t{4} << 20, kLargestJobBytes = uint64_t{32} << 20;
/// Threads that make text of answers; more of them than this write no faster.
constexpr unsigned kMostFormatThreads = 8;
/// The stack of a thread, and the rows that it parses.
constexpr uint64_t kThreadBytes = uint64_t{9} << 20;
/// A job's text grows by doubling.
constexpr uint64_t kJobSlack = 2;
/// Of all bytes, the part that threads take.
constexpr uint64_t kThreadPart = 4;

/// With the blocks that are read ahead; where blocks are small, the further ones are a thread's
/// rows.
uint64_t jobsOf(unsigned formatThreads) {
  return caseJobCount(formatThreads) + PlacedCases::kFewestBlocks;
}

unsigned mostFormatThreads(unsigned threads) { return std::min(threads, kMostFormatThreads); }

} // namespace

StreamMemory divideStream(unsigned threads, uint64_t bytes) {
  const uint64_t forThreads = bytes / kThreadPart, more = forThreads / kThreadBytes;
  StreamMemory memory;
  const uint64_t moreFormat = std::min<uint64_t>(mostFormatThreads(threads) - 1, more / 2);
  memory.formatThreads = static_cast<unsigned>(1 + moreFormat);
  memory.readThreads =
      static_cast<unsigned>(std::clamp<uint64_t>(more - moreFormat, 1, std::max(threads, 1U)));
  const uint64_t perJob = (bytes - forThreads) / jobsOf(mostFormatThreads(threads)) / kJobSlack;
  memory.jobBytes = std::min(kGoodJobBytes, perJob);
  memory.mostJobBytes = std::min(kLargestJobBytes, perJob);
  return memory;
}

uint64_t wantedStreamBytes(unsigned threads) {
  const unsigned format = mostFormatThreads(threads);
  const uint64_t jobs = jobsOf(format) * kJobSlack * kLargestJobBytes;
  return std::max(jobs * kThreadPart / (kThreadPart - 1) + kThreadPart,
                  kThreadPart * kThreadBytes * (threads + 2 * uint64_t{format}));
}

} // namespace mpf::driver
