// The sizes of parts of blocks.
#include "runtime/execute/lanes/sent/part_size.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(PartSize, FollowsFromTheBytesOfACase) {
  EXPECT_EQ(partCases(18.5 + 8), 1u << 17); // rows of alarm in four bits, f64
  EXPECT_EQ(partCases(37 + 8), 1u << 16);   // as bytes
  EXPECT_EQ(partCases(1), kMostPartCases);
  EXPECT_EQ(partCases(0), kMostPartCases);
  EXPECT_EQ(partCases(1000), kLeastPartCases);
  EXPECT_EQ(partCases(2048), kLeastPartCases);
  EXPECT_EQ(partCases(2049), 0u); // 64 MiB hold fewer
  for (double bytes = 1; bytes < 2048; bytes *= 1.1)
    EXPECT_GE(partCases(bytes), partCases(bytes * 1.1)) << bytes;
}

TEST(PartSize, BlocksGoInPartsOfAboutThatSize) {
  EXPECT_EQ(partCount(1, 65536), 1u);
  EXPECT_EQ(partCount(65536, 65536), 1u);
  EXPECT_EQ(partCount(84480, 65536), 1u); // not in one of 65536 and a small one
  EXPECT_EQ(partCount(100'000, 65536), 2u);
  EXPECT_EQ(partCount(1 << 20, 65536), 16u);
  EXPECT_EQ(partCount(UINT32_MAX, 1 << 17), 32768u);
}

TEST(PartSize, ThreadsHaveSeveralBlocksEach) {
  constexpr uint32_t kPart = 1 << 17;
  EXPECT_EQ(evenPartCases(kPart, 1'000'000'000, 16), kPart);
  EXPECT_EQ(evenPartCases(kPart, 8'000'000, 16), 65536u);
  EXPECT_EQ(evenPartCases(kPart, 300'000, 16), kLeastPartCases);
  EXPECT_EQ(evenPartCases(kPart, 0, 0), kLeastPartCases);
  EXPECT_EQ(evenPartCases(1000, 1'000'000'000, 16), 1000u); // memory bounds it
}

} // namespace
} // namespace mpf
