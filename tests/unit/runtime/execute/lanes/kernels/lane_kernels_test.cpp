// The inner loops of lanes against plain loops: tiles of rows and columns, ranges, rescaling.
#include "runtime/execute/lanes/kernels/lane_kernels.h"

#include "dsl/support/split_mix.h"
#include "tests/support/trials.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace mpf {
namespace {

template <class T> class LaneKernelsTest : public testing::Test {
protected:
  static std::vector<const StripKernels<T> *> strips() {
    return {&laneKernels<T>().wide, &laneKernels<T>().narrow};
  }
};
using Types = testing::Types<double, float>;
TYPED_TEST_SUITE(LaneKernelsTest, Types);

/// result(i, c, j) = sum(r) of the product of tables over some of these; sums of small whole
/// numbers are exact in any order.
template <class T> class RandomProduct {
public:
  RandomProduct(uint64_t seed, const StripKernels<T> &kernels) : random_(seed), kernels_(kernels) {
    for (size_t &extent : extents_)
      extent = 1 + nextRandom(random_) % 7;
    const size_t operands = 1 + nextRandom(random_) % 5;
    messages_ = 1 + nextRandom(random_) % operands; // the others are shared
    for (size_t s = 0; s < operands; ++s)
      addTable(s < messages_ ? kernels.lanes : 1, nextRandom(random_) % 16);
    addTable(kernels.lanes, 0b0111); // the result
  }

  void check(bool isMax) {
    StripRange<T> range;
    (isMax ? kernels_.max : kernels_.sum)(product(range));
    for (size_t lane = 0; lane < kernels_.lanes; ++lane) {
      T greatest = 0, least = std::numeric_limits<T>::max();
      for (size_t i = 0; i < extents_[0]; ++i)
        for (size_t c = 0; c < extents_[1]; ++c)
          for (size_t j = 0; j < extents_[2]; ++j) {
            const T found = entry(tables_.size() - 1, {i, c, j, 0}, lane);
            ASSERT_EQ(found, expected(i, c, j, lane, isMax));
            greatest = std::max(greatest, std::abs(found));
            if (found != 0)
              least = std::min(least, std::abs(found));
          }
      EXPECT_EQ(range.greatest[lane], bitsOf(greatest));
      if (greatest != 0) {
        EXPECT_EQ(range.least[lane], bitsOf(least) - 1);
      }
    }
  }

private:
  using Bits = typename StripRange<T>::Bits;
  struct Table {
    size_t width = 1; ///< number of lanes
    size_t strides[4] = {};
    std::vector<uint64_t> inner, reduced;
    std::vector<T> entries;
  };

  static Bits bitsOf(T value) {
    Bits bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }

  /// Returns a table over the digits i, c, j, r whose bits 0 to 3 are set in `has`.
  void addTable(size_t width, uint64_t has) {
    Table table;
    table.width = width;
    size_t elems = 1;
    for (size_t d = 0; d < 4; ++d)
      if ((has >> d & 1) != 0) {
        table.strides[d] = elems;
        elems *= extents_[d];
      }
    for (size_t i = 0; i < extents_[0]; ++i)
      table.inner.push_back(i * table.strides[0]);
    for (size_t r = 0; r < extents_[3]; ++r)
      table.reduced.push_back(r * table.strides[3]);
    for (size_t e = 0; e < elems * width; ++e)
      table.entries.push_back(static_cast<T>(nextRandom(random_) % 4) - T{1});
    tables_.push_back(table);
  }

  LaneProduct<T> product(StripRange<T> &range) {
    LaneProduct<T> product;
    product.inner = extents_[0];
    product.columns = extents_[1];
    product.row = extents_[2];
    product.reduced = extents_[3];
    for (size_t s = 0; s + 1 < tables_.size(); ++s) {
      const Table &table = tables_[s];
      const LaneOperand<T> operand{table.entries.data(), &kNone,           table.inner.data(),
                                   table.reduced.data(), table.strides[1], table.strides[2]};
      if (s < messages_)
        product.message[product.messages++] = operand;
      else
        product.common[product.shared++] = operand;
    }
    Table &result = tables_.back();
    product.result = result.entries.data();
    product.resultOuter = &kNone;
    product.resultInner = result.inner.data();
    product.resultColumnStride = result.strides[1];
    product.resultStride = result.strides[2];
    product.range = &range;
    return product;
  }

  T entry(size_t table, const std::vector<size_t> &at, size_t lane) const {
    const Table &from = tables_[table];
    size_t place = 0;
    for (size_t d = 0; d < 4; ++d)
      place += at[d] * from.strides[d];
    return from.entries[place * from.width + (from.width == 1 ? 0 : lane)];
  }

  T expected(size_t i, size_t c, size_t j, size_t lane, bool isMax) const {
    T total = 0;
    for (size_t r = 0; r < extents_[3]; ++r) {
      T term = 1;
      for (size_t s = 0; s + 1 < tables_.size(); ++s)
        term *= entry(s, {i, c, j, r}, lane);
      total = r == 0 ? term : isMax ? std::max(total, term) : total + term;
    }
    return total;
  }

  static constexpr uint64_t kNone = 0;
  uint64_t random_;
  const StripKernels<T> &kernels_;
  size_t extents_[4] = {}, messages_ = 0;
  std::vector<Table> tables_;
};

TYPED_TEST(LaneKernelsTest, ProductsAreThoseOfPlainLoops) {
  for (const StripKernels<TypeParam> *kernels : this->strips())
    for (uint64_t seed = 0; seed < trials(300U); ++seed)
      RandomProduct<TypeParam>(seed, *kernels).check(seed % 3 == 0);
}

TYPED_TEST(LaneKernelsTest, OnlyLanesOutsideOfTheRangeAreRescaled) {
  using T = TypeParam;
  constexpr int kTarget = 20, kOrders = 41; // entries from 2^-21 to 2^21
  for (const StripKernels<T> *kernels : this->strips()) {
    const size_t lanes = kernels->lanes;
    std::vector<T> message(2 * lanes, T{1});
    const auto set = [&](size_t lane, T first, T second) {
      message[lane] = first;
      message[lanes + lane] = second;
    };
    set(0, 0, T(-0x1p-21));        // within
    set(1, 0, T(0x1.8p-22));       // too small
    set(2, T(0x1.8p21), 1);        // too great
    set(3, T(0x1p21), T(0x1p-21)); // too great, and the other too far below
    set(4, 0, 0);                  // nothing to scale
    set(5, 1, std::numeric_limits<T>::infinity());
    set(6, std::numeric_limits<T>::quiet_NaN(), 1);
    set(7, std::numeric_limits<T>::denorm_min(), 1);
    const std::vector<T> before = message;
    StripRange<T> range;
    std::vector<int32_t> exponents(lanes, 5);
    std::vector<uint8_t> left(lanes, 0);
    kernels->measure(message.data(), 2, range);
    kernels->rescale({message.data(), 2, &range, kTarget, kOrders, exponents.data(), left.data()});
    for (const size_t lane : {size_t{0}, size_t{4}, lanes - 1 > 7 ? lanes - 1 : size_t{0}}) {
      EXPECT_EQ(message[lane], before[lane]);
      EXPECT_EQ(message[lanes + lane], before[lanes + lane]);
      EXPECT_EQ(exponents[lane], 5);
      EXPECT_EQ(left[lane], 0);
    }
    EXPECT_EQ(message[lanes + 1], T(0x1.8p20));
    EXPECT_EQ(exponents[1], 5 - 42);
    EXPECT_EQ(left[1], 0);
    EXPECT_EQ(message[2], T(0x1.8p20));
    EXPECT_EQ(message[lanes + 2], T(0x1p-1));
    EXPECT_EQ(exponents[2], 5 + 1);
    EXPECT_EQ(left[2], 0);
    for (const size_t lane : {3, 5, 6, 7})
      EXPECT_EQ(left[lane], 1) << lane;
  }
}

} // namespace
} // namespace mpf
