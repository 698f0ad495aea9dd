// The order in which strips walk the entries of a result.
#include "runtime/execute/lanes/strip_nest.h"

#include "codegen/bundle/lanes/lane_addresses.h"
#include "dsl/support/split_mix.h"

#include <gtest/gtest.h>
#include <set>

namespace mpf {
namespace {

constexpr uint64_t kEntryBytes = 64;

/// All tables are messages.
StripNest nestOf(const LaneOperation &operation) {
  return stripNest(operation, std::vector<uint64_t>(operation.slotCount(), kEntryBytes));
}

/// Row-major tables over some of the digits; the first ones, those of `result`, are kept.
LaneOperation operationOver(const std::vector<uint64_t> &extents,
                            const std::vector<std::vector<size_t>> &operands, size_t kept) {
  LaneOperation operation;
  for (size_t d = 0; d < extents.size(); ++d)
    operation.digits.push_back({extents[d], d >= kept});
  const auto accessOver = [&](const std::vector<size_t> &digits) {
    LaneAccess access{0, 0, std::vector<uint64_t>(extents.size(), 0)};
    uint64_t stride = 1;
    for (size_t i = digits.size(); i-- > 0;) {
      access.stridesElems[digits[i]] = stride;
      stride *= extents[digits[i]];
    }
    return access;
  };
  for (const std::vector<size_t> &digits : operands)
    operation.operands.push_back(accessOver(digits));
  std::vector<size_t> all;
  for (size_t d = 0; d < kept; ++d)
    all.push_back(d);
  operation.result = accessOver(all);
  return operation;
}

std::vector<size_t> keptOrder(const StripNest &nest) {
  std::vector<size_t> order = nest.outer;
  order.insert(order.end(), nest.inner.begin(), nest.inner.end());
  if (nest.column)
    order.push_back(*nest.column);
  if (nest.row)
    order.push_back(*nest.row);
  return order;
}

TEST(StripNest, SmallOperationsKeepTheirOrderButForTheTile) {
  const LaneOperation product = operationOver({2, 4, 2, 4}, {{0, 1, 2, 3}}, 3);
  EXPECT_EQ(keptOrder(nestOf(product)), (std::vector<size_t>{0, 2, 1}));
}

TEST(StripNest, RowAndColumnShareWhatTheyRead) {
  // result(a, b, g) = sum(r) f(a, g, r) h(b, g, r): a row of one operand beside a column of the
  // other
  const LaneOperation product = operationOver({4, 4, 4, 4}, {{0, 2, 3}, {1, 2, 3}}, 3);
  const StripNest nest = nestOf(product);
  ASSERT_TRUE(nest.row && nest.column);
  EXPECT_NE(*nest.row, 2u);
  EXPECT_NE(*nest.column, 2u);
}

TEST(StripNest, DigitsThatNoTableTellsApartAreOne) {
  // The third digit is in one operand only.
  const LaneOperation product =
      operationOver({2, 2, 3, 2, 2, 2, 5, 7}, {{0, 1, 3, 4, 5, 6, 7}, {2, 6, 7}}, 6);
  const LaneOperation merged = mergedForStrips(product);
  std::vector<uint64_t> extents;
  for (const StridedDigit &digit : merged.digits)
    extents.push_back(digit.extent);
  EXPECT_EQ(extents, (std::vector<uint64_t>{4, 3, 8, 35}));
  EXPECT_EQ(mergedForStrips(operationOver({8, 8}, {{0, 1}}, 2)).digits.size(), 2u); // 64 is long
}

TEST(StripNest, ADigitOfAllTablesOfALargeOperationIsOutside) {
  // result(a, b, g) = sum(r) f(a, g, r) h(b, g, r)
  const LaneOperation product = operationOver({64, 64, 64, 8}, {{0, 2, 3}, {1, 2, 3}}, 3);
  const StripNest nest = nestOf(product);
  EXPECT_EQ(keptOrder(nest).front(), 2u);
  EXPECT_EQ(nest.reduced, (std::vector<size_t>{3}));
}

TEST(StripNest, EveryEntryIsWalkedOnce) {
  uint64_t random = 7;
  for (int trial = 0; trial < 200; ++trial) {
    const size_t count = 1 + nextRandom(random) % 7, kept = nextRandom(random) % (count + 1);
    std::vector<uint64_t> extents;
    for (size_t d = 0; d < count; ++d)
      extents.push_back(1 + nextRandom(random) % 6);
    std::vector<std::vector<size_t>> operands(1 + nextRandom(random) % 3);
    for (size_t d = 0; d < count; ++d)
      for (size_t s = 0; s < operands.size(); ++s)
        if (s == d % operands.size() || nextRandom(random) % 2 == 0)
          operands[s].push_back(d);
    const LaneOperation operation = mergedForStrips(operationOver(extents, operands, kept));
    const StripNest nest = nestOf(operation);
    const LaneAddresses straight = laneAddresses(operation);
    std::set<std::vector<uint64_t>> expected, found;
    for (size_t k = 0; k < straight.keptCount; ++k) {
      std::vector<uint64_t> at;
      for (const SlotAddresses &slot : straight.slots)
        at.push_back(slot.kept[k]);
      expected.insert(at);
    }
    const auto addresses = [&](size_t s, const std::vector<size_t> &digits, uint64_t base) {
      return laneOffsets(operation, operation.slot(s), digits, base);
    };
    const size_t slots = operation.slotCount();
    const size_t outer = addresses(0, nest.outer, 0).size();
    const size_t inner = addresses(0, nest.inner, 0).size();
    const size_t row = nest.row ? operation.digits[*nest.row].extent : 1;
    const size_t columns = nest.column ? operation.digits[*nest.column].extent : 1;
    EXPECT_EQ(outer * inner * columns * row, straight.keptCount);
    for (size_t entry = 0; entry < outer * inner * columns * row; ++entry) {
      std::vector<uint64_t> at;
      for (size_t s = 0; s < slots; ++s)
        at.push_back(
            addresses(s, nest.outer, operation.slot(s).baseElems)[entry / row / columns / inner] +
            addresses(s, nest.inner, 0)[entry / row / columns % inner] +
            (nest.column ? entry / row % columns * operation.slot(s).stridesElems[*nest.column]
                         : 0) +
            (nest.row ? entry % row * operation.slot(s).stridesElems[*nest.row] : 0));
      found.insert(at);
    }
    EXPECT_EQ(found, expected);
    for (size_t s = 0; s < slots; ++s)
      EXPECT_EQ(addresses(s, nest.reduced, 0), straight.slots[s].reduced);
    EXPECT_EQ(stripNestAddresses(operation, nest), (outer + inner + straight.reducedCount) * slots);
  }
}

} // namespace
} // namespace mpf
