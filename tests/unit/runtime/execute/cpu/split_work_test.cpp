// Parts of an operation: together they cover it once, in order, and later ones are not larger.
#include "runtime/execute/cpu/split_work.h"

#include "runtime/execute/threads/spread_options.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(SplitWork, PartsAreAllOfIt) {
  for (const uint64_t count : {0ULL, 1ULL, 5ULL, 63ULL, 64ULL, 1000ULL, 4096ULL, 123457ULL,
                               1ULL << 50, (1ULL << 50) + 12345})
    for (size_t parts = 1; parts <= 70; ++parts) {
      uint64_t at = 0;
      for (size_t part = 0; part < parts; ++part) {
        const auto [begin, end] = stretchOf(count, part, parts);
        ASSERT_EQ(begin, at) << count << ' ' << part << '/' << parts;
        ASSERT_LE(begin, end);
        at = end;
      }
      ASSERT_EQ(at, count) << parts;
    }
}

TEST(SplitWork, TheLastPartsAreSmall) {
  const auto elemsOf = [](size_t part) {
    const auto [begin, end] = stretchOf(16000, part, 8);
    return end - begin;
  };
  EXPECT_EQ(elemsOf(0), 4000u);
  EXPECT_EQ(elemsOf(2), 2000u);
  EXPECT_EQ(elemsOf(7), 1000u);
}

TEST(SplitWork, OfShortOperationsIsNone) {
  const SpreadOptions spread;
  EXPECT_EQ(partCount(1e9, 1, spread), 1u);
  EXPECT_EQ(partCount(10'000, 8, spread), 1u);
  EXPECT_EQ(partCount(30'000, 8, spread), 6u);
  EXPECT_EQ(partCount(1e9, 8, spread), 32u);
}

} // namespace
} // namespace mpf
