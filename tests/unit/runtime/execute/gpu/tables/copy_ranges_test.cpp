#include "runtime/execute/gpu/tables/copy_ranges.h"

#include "dsl/support/error.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace mpf {
namespace {

TEST(CopyRanges, JoinWhatLiesNear) {
  const std::vector<CopyRange> joined = joinRanges({{300, 10}, {0, 100}, {120, 20}}, 20);
  EXPECT_EQ(joined, (std::vector<CopyRange>{{0, 140}, {300, 10}}));
}

TEST(CopyRanges, JoinWhatOverlaps) {
  EXPECT_EQ(joinRanges({{0, 100}, {10, 20}, {100, 5}}, 0), (std::vector<CopyRange>{{0, 105}}));
  EXPECT_EQ(joinRanges({{0, 100}, {101, 5}}, 0), (std::vector<CopyRange>{{0, 100}, {101, 5}}));
}

TEST(CopyRanges, LeaveOutWhatIsEmpty) {
  EXPECT_TRUE(joinRanges({{7, 0}, {9, 0}}).empty());
  EXPECT_TRUE(joinRanges({}).empty());
}

TEST(CopyRanges, CoverEveryRangeAndNoByteTwice) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<CopyRange> ranges(random() % 20);
    for (CopyRange &range : ranges)
      range = {random() % 5000, random() % 200};
    const uint64_t gap = random() % 300;
    const std::vector<CopyRange> joined = joinRanges(ranges, gap);
    for (size_t i = 1; i < joined.size(); ++i)
      EXPECT_GT(joined[i].firstBytes, joined[i - 1].endBytes() + gap);
    for (const CopyRange &range : ranges)
      EXPECT_TRUE(range.sizeBytes == 0 ||
                  std::any_of(joined.begin(), joined.end(), [&](const CopyRange &whole) {
                    return whole.firstBytes <= range.firstBytes &&
                           range.endBytes() <= whole.endBytes();
                  }));
  }
}

TEST(ArenaImage, HasEveryPartBehindTheOneBefore) {
  const ArenaImage image({{64, 100}, {4096, 8}, {10000, 600}});
  EXPECT_EQ(image.placeOf(64), 0u);
  EXPECT_EQ(image.placeOf(80), 16u);
  EXPECT_EQ(image.placeOf(4096), 112u + 16u);
  EXPECT_EQ(image.placeOf(10512), image.placeOf(10000) + 512);
  EXPECT_GE(image.sizeBytes(), image.placeOf(10000) + 600);
  for (const uint64_t outside : {0u, 164u, 4104u, 10600u})
    EXPECT_THROW(static_cast<void>(image.placeOf(outside)), Error) << outside;
  EXPECT_EQ(ArenaImage().sizeBytes(), 0u);
}

} // namespace
} // namespace mpf
