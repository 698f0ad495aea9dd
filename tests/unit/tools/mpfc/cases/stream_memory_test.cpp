// Rows of cases in flight stay within the memory that is left for them.
#include "tools/mpfc/cases/stream_memory.h"

#include "tools/mpfc/cases/case_pipeline.h"

#include <gtest/gtest.h>
#include <initializer_list>

namespace mpf::driver {
namespace {

constexpr uint64_t kStreamMiB = uint64_t{1} << 20;

constexpr StreamThreads kKinds[] = {StreamThreads::AllDoJobs, StreamThreads::SomeParseOrAnswer};

TEST(StreamMemory, IsWholeWhereThereIsPlenty) {
  for (const unsigned threads : {1U, 2U, 8U, 64U})
    for (const StreamThreads kind : kKinds) {
      const StreamMemory memory = divideStream(threads, wantedStreamBytes(threads), kind);
      const bool isAll = kind == StreamThreads::AllDoJobs;
      EXPECT_EQ(memory.parseThreads, isAll ? 1 : threads);
      EXPECT_EQ(memory.threads, isAll ? threads : std::min(threads, 8U) + 2);
      EXPECT_EQ(memory.jobBytes, 4 * kStreamMiB);
      EXPECT_EQ(memory.mostJobBytes, 32 * kStreamMiB);
    }
}

TEST(StreamMemory, GrowsWithWhatIsLeftAndStaysWithinIt) {
  for (const StreamThreads kind : kKinds)
    for (const unsigned threads : {1U, 2U, 3U, 16U, 1024U}) {
      StreamMemory last;
      for (uint64_t bytes = 1; bytes <= 2 * wantedStreamBytes(threads); bytes += bytes / 5 + 1) {
        const StreamMemory memory = divideStream(threads, bytes, kind);
        EXPECT_GE(memory.parseThreads, last.parseThreads) << bytes;
        EXPECT_GE(memory.threads, last.threads) << bytes;
        EXPECT_GE(memory.jobBytes, last.jobBytes) << bytes;
        EXPECT_GE(memory.mostJobBytes, last.mostJobBytes) << bytes;
        // Text grows by doubling. Stacks take 8 MiB, except those of the caller and of threads that
        // always exist.
        const uint64_t jobs = 2 * memory.mostJobBytes * caseJobCount(memory.threads);
        const uint64_t parsing = memory.parseThreads > 1 ? memory.parseThreads : 0;
        const uint64_t sure = kind == StreamThreads::AllDoJobs ? 1 : 1 + kSureStreamThreads;
        const uint64_t stacks = 8 * kStreamMiB * (parsing + memory.threads - sure);
        EXPECT_LE(jobs + stacks, bytes) << threads << " threads";
        last = memory;
      }
    }
}

TEST(StreamMemory, LittleIsEnoughForTheSureThreads) {
  const StreamMemory few = divideStream(64, 1, StreamThreads::SomeParseOrAnswer);
  EXPECT_EQ(few.parseThreads, 1u);
  EXPECT_EQ(few.threads, 1 + kSureStreamThreads);
  EXPECT_EQ(divideStream(64, 1, StreamThreads::AllDoJobs).threads, 1u);
}

} // namespace
} // namespace mpf::driver
