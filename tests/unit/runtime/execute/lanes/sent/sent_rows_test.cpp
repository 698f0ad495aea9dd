#include "runtime/execute/lanes/sent/sent_rows.h"
#include "tests/support/rows_in_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <vector>

namespace mpf {
namespace {

/// Columns of 15 states, whose codes are random.
test::RowsInMemory drawRows(size_t columns, uint32_t count) {
  std::mt19937 random(7);
  std::vector<RowByte> bytes;
  for (uint32_t c = 0; c < columns; ++c)
    bytes.push_back({c, 15, 255});
  std::vector<std::byte> rows(columns * count);
  for (std::byte &byte : rows)
    byte = random() % 9 == 0 ? std::byte{255} : std::byte(random() % 15);
  return {std::move(bytes), std::move(rows)};
}

TEST(SentRows, ArePackedWhereAllCodesFitHalfAByte) {
  const auto bitsOf = [](std::vector<RowByte> bytes) {
    return sentCodeBits(test::RowsInMemory(std::move(bytes), {}));
  };
  EXPECT_EQ(bitsOf({{0, 2, 255}}), 4u);
  EXPECT_EQ(bitsOf({{0, 15, 128}, {1, 1, 128}}), 4u);
  EXPECT_EQ(bitsOf({{0, 2, 255}, {1, 16, 255}}), 8u);
  EXPECT_EQ(bitsOf({{0, 2, 255}, {1, 2, 128}}), 8u); // two byte values mean "not observed"
  EXPECT_EQ(bitsOf({{0, 15, 15}}), 4u);
  EXPECT_EQ(bitsOf({{0, 2, 14}}), 8u); // 14 means it too, but is not the last half byte
  EXPECT_EQ(bitsOf(std::vector<RowByte>(1 << 16, {0, 2, 255})), 4u);
  EXPECT_EQ(bitsOf(std::vector<RowByte>((1 << 16) + 1, {0, 2, 255})), 8u); // two rows fit no piece
  EXPECT_EQ(sentCodeBits(nullptr), std::nullopt);
}

TEST(SentRows, TakeNoGapBetweenRows) {
  const test::RowsInMemory odd = drawRows(37, 1);
  EXPECT_EQ(sentBytes(odd, 1), 19u);
  EXPECT_EQ(sentBytes(odd, 2), 37u);
  EXPECT_EQ(sentBytes(test::RowsInMemory({{0, 2, 255}, {1, 16, 255}}, {}), 3), 6u);
}

/// Rows are fetched in several pieces, from any row on.
TEST(SentRows, EveryCodeComesToItsHalf) {
  constexpr size_t kColumns = 37;
  constexpr uint32_t kRows = 9001;
  const test::RowsInMemory rows = drawRows(kColumns, kRows);
  for (const uint32_t first : {0u, 1u, 4000u, 9000u}) {
    const uint32_t count = kRows - first;
    std::vector<std::byte> codes(kColumns * count), packed(sentBytes(rows, count));
    ASSERT_TRUE(rows.fetch(first, count, codes.data()));
    ASSERT_TRUE(fetchToSend(rows, first, count, packed.data()));
    for (size_t i = 0; i < codes.size(); ++i) {
      const std::byte half = i % 2 == 0 ? packed[i / 2] & std::byte{15} : packed[i / 2] >> 4;
      ASSERT_EQ(half, std::min(codes[i], std::byte{15})) << i << " from row " << first;
    }
  }
}

TEST(SentRows, ThatCannotBeReadOrAreNoneAreRefused) {
  constexpr uint32_t kRows = 9001;
  test::RowsInMemory rows = drawRows(37, kRows);
  std::vector<std::byte> packed(sentBytes(rows, kRows));
  EXPECT_FALSE(fetchToSend(rows, 1, kRows, packed.data())); // the rows end before
  for (const uint32_t bad : {0u, 3600u, 9000u}) {
    const std::byte good = rows.at(bad, 36);
    rows.at(bad, 36) = std::byte{15};
    EXPECT_FALSE(fetchToSend(rows, 0, kRows, packed.data())) << bad;
    rows.at(bad, 36) = good;
    EXPECT_TRUE(fetchToSend(rows, 0, kRows, packed.data())) << bad;
  }
}

/// Rows that are not packed are sent unchanged.
TEST(SentRows, OfManyStatesAreCopied) {
  test::RowsInMemory rows({{0, 2, 255}, {1, 200, 255}}, std::vector<std::byte>(200));
  rows.at(7, 1) = std::byte{199};
  std::vector<std::byte> sent(sentBytes(rows, 50)), fetched(100);
  ASSERT_TRUE(fetchToSend(rows, 5, 50, sent.data()));
  ASSERT_TRUE(rows.fetch(5, 50, fetched.data()));
  EXPECT_EQ(sent, fetched);
}

} // namespace
} // namespace mpf
