// Operations as digits and strides: counts, reach, merging and refused operations.
#include "dsl/support/merge_digits.h"
#include "dsl/support/strided_fault.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

struct Access {
  std::vector<uint64_t> stridesElems;
};
using Strided = StridedOperation<StridedDigit, Access>;

/// Returns r(a, b) = sum over k of f(a, b, k) g(k); a has 3 values, b 4, k 5.
Strided sample() {
  Strided operation;
  operation.digits = {{3, false}, {4, false}, {5, true}};
  operation.operands = {{{20, 5, 1}}, {{0, 0, 1}}};
  operation.result = {{4, 1, 0}};
  return operation;
}

TEST(StridedOperation, CountsAddresses) {
  const Strided operation = sample();
  EXPECT_EQ(operation.keptCount(), 2u);
  EXPECT_EQ(operation.keptAddresses(), 12u);
  EXPECT_EQ(operation.reducedAddresses(), 5u);
  EXPECT_EQ(operation.addresses(), 60u);
  EXPECT_EQ(operation.addressesApproximately(), 60);
  Strided large = operation;
  large.digits[0].extent = large.digits[1].extent = uint64_t{1} << 40;
  EXPECT_EQ(large.addresses(), UINT64_MAX);
  EXPECT_EQ(large.addressesApproximately(), 5 * 0x1p80);
}

TEST(StridedOperation, KnowsHowFarAnAccessReaches) {
  Strided operation = sample();
  EXPECT_EQ(operation.lastOffset(operation.operands[0]), 59u);
  EXPECT_EQ(operation.lastOffset(operation.slot(1)), 4u);
  EXPECT_EQ(operation.lastOffset(operation.slot(2)), 11u);
  operation.operands[0].stridesElems[0] = UINT64_MAX;
  EXPECT_EQ(operation.lastOffset(operation.operands[0]), UINT64_MAX);
}

TEST(StridedOperation, PlacesAreSortedByStride) {
  const std::vector<StridedDigit> digits = {{3, false}, {1, false}, {4, false}, {5, true}};
  EXPECT_EQ(placesOf(digits, {1, 7, 3, 0}), (std::vector<StridedPlace>{{1, 3}, {3, 4}}));
}

TEST(MergeDigits, MergesWhatNoTableTellsApart) {
  Strided operation = sample();
  EXPECT_FALSE(hasMergedDigits(operation));
  mergeDigits(operation);
  EXPECT_TRUE(hasMergedDigits(operation));
  ASSERT_EQ(operation.digits.size(), 2u);
  EXPECT_EQ(operation.digits[0].extent, 12u);
  EXPECT_EQ(operation.operands[0].stridesElems, (std::vector<uint64_t>{5, 1}));
  EXPECT_EQ(operation.operands[1].stridesElems, (std::vector<uint64_t>{0, 1}));
  EXPECT_EQ(operation.result.stridesElems, (std::vector<uint64_t>{1, 0}));
}

TEST(MergeDigits, AlsoWhereTheMoreSignificantDigitComesLater) {
  Strided operation = sample();
  std::swap(operation.digits[0], operation.digits[1]);
  for (size_t s = 0; s < operation.slotCount(); ++s)
    std::swap(operation.slot(s).stridesElems[0], operation.slot(s).stridesElems[1]);
  EXPECT_FALSE(hasMergedDigits(operation));
  mergeDigits(operation);
  ASSERT_EQ(operation.digits.size(), 2u);
  EXPECT_EQ(operation.digits[0].extent, 12u);
  EXPECT_EQ(operation.operands[0].stridesElems, (std::vector<uint64_t>{5, 1}));
}

TEST(MergeDigits, LeavesDigitsThatSomeTableLacks) {
  Strided operation = sample();
  operation.operands[1].stridesElems = {0, 5, 1};
  EXPECT_TRUE(hasMergedDigits(operation));
  mergeDigits(operation);
  EXPECT_EQ(operation.digits.size(), 3u);
}

TEST(MergeDigits, DropsDigitsOfOneValue) {
  Strided operation = sample();
  operation.operands[1].stridesElems = {0, 5, 1};
  operation.digits[1].extent = 1;
  EXPECT_FALSE(hasMergedDigits(operation));
  dropSingleDigits(operation);
  ASSERT_EQ(operation.digits.size(), 2u);
  EXPECT_EQ(operation.digits[1].extent, 5u);
  EXPECT_EQ(operation.operands[0].stridesElems, (std::vector<uint64_t>{20, 1}));
  EXPECT_EQ(operation.result.stridesElems, (std::vector<uint64_t>{4, 0}));
}

TEST(StridedFault, NamesTheBrokenRule) {
  const auto digits = [](auto change) {
    Strided operation = sample();
    change(operation);
    return findDigitFault(operation, 8);
  };
  EXPECT_EQ(digits([](Strided &) {}), "");
  EXPECT_EQ(digits([](Strided &s) { s.digits[0].extent = 0; }), "digit 0 has extent 0");
  EXPECT_EQ(digits([](Strided &s) { s.digits[0].reduced = true; }),
            "kept digit 1 after a reduced one");
  EXPECT_EQ(digits([](Strided &s) { s.operands.clear(); }), "0 operands, an operation has 1 to 8");
  EXPECT_EQ(digits([](Strided &s) { s.digits[0].extent = UINT64_MAX; }),
            "the bucket has more than 2^64 addresses");
}

TEST(StridedFault, TheResultIsWrittenOnce) {
  const auto result = [](std::vector<uint64_t> strides, uint64_t sizeElems) {
    Strided operation = sample();
    operation.result.stridesElems = std::move(strides);
    return findResultFault(operation, sizeElems);
  };
  EXPECT_EQ(result({4, 1, 0}, 12), "");
  EXPECT_EQ(result({1, 3, 0}, 12), "");
  EXPECT_EQ(result({4, 1, 12}, 60), "reduced digit 2 has result stride 12");
  EXPECT_EQ(result({0, 1, 0}, 12), "the result lacks kept digit 0");
  EXPECT_EQ(result({3, 1, 0}, 12), "its result has stride 3 where 4 is due");
  EXPECT_EQ(result({4, 1, 0}, 13), "the result has 13 entries, its kept digits 12");
}

} // namespace
} // namespace mpf
