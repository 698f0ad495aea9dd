// Rows of cases on their way stay within the memory that is left for them.
#include "tools/mpfc/cases/stream_memory.h"

#include "tools/mpfc/cases/case_pipeline.h"

#include <gtest/gtest.h>
#include <initializer_list>

namespace mpf::driver {
namespace {

constexpr uint64_t kStreamMiB = uint64_t{1} << 20;

TEST(StreamMemory, IsWholeWhereThereIsPlenty) {
  for (const unsigned threads : {1U, 2U, 8U, 64U}) {
    const StreamMemory memory = divideStream(threads, wantedStreamBytes(threads));
    EXPECT_EQ(memory.readThreads, threads);
    EXPECT_EQ(memory.formatThreads, std::min(threads, 8U));
    EXPECT_EQ(memory.jobBytes, 4 * kStreamMiB);
    EXPECT_EQ(memory.mostJobBytes, 32 * kStreamMiB);
  }
}

TEST(StreamMemory, GrowsWithWhatIsLeftAndStaysWithinIt) {
  for (const unsigned threads : {1U, 2U, 3U, 16U, 1024U}) {
    StreamMemory last;
    for (uint64_t bytes = 1; bytes <= 2 * wantedStreamBytes(threads); bytes += bytes / 5 + 1) {
      const StreamMemory memory = divideStream(threads, bytes);
      EXPECT_GE(memory.readThreads, last.readThreads) << bytes;
      EXPECT_GE(memory.formatThreads, last.formatThreads) << bytes;
      EXPECT_GE(memory.jobBytes, last.jobBytes) << bytes;
      EXPECT_GE(memory.mostJobBytes, last.mostJobBytes) << bytes;
      // Text grows by doubling; stacks take 8 MiB, but for those that are always there.
      const uint64_t jobs = 2 * memory.mostJobBytes * caseJobCount(memory.formatThreads);
      const uint64_t parsing = memory.readThreads > 1 ? memory.readThreads : 0;
      const uint64_t stacks = 8 * kStreamMiB * (parsing + memory.formatThreads - 1);
      EXPECT_LE(jobs + stacks, bytes) << threads << " threads";
      last = memory;
    }
  }
}

TEST(StreamMemory, LittleIsEnoughForTwoThreads) {
  const StreamMemory memory = divideStream(64, 1);
  EXPECT_EQ(memory.readThreads, 1u);
  EXPECT_EQ(memory.formatThreads, 1u);
}

} // namespace
} // namespace mpf::driver
