// Sums of slices with separate scales, entry by entry, compared with long double.
#include "runtime/execute/host/accumulate_slice.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace mpf {
namespace {

/// A table of doubles with its signs.
struct Table {
  TableState state;
  std::vector<double> entries;
  std::vector<int8_t> signs;

  TableView view() const {
    return {ElementType::F64, state, entries.size(),
            reinterpret_cast<const std::byte *>(entries.data()),
            state.form != 0 ? signs.data() : nullptr};
  }
  MutableTable target() {
    return {ElementType::F64, &state, entries.size(), reinterpret_cast<std::byte *>(entries.data()),
            signs.data()};
  }
  /// Returns values relative to 2^scale, because the values may exceed long double.
  long double value(size_t i, int64_t scale) const {
    const TableView v = view();
    return v.sign(i) * std::exp2(static_cast<long double>(v.log2Entry(i)) +
                                 static_cast<long double>(v.state.scale - scale));
  }
};

/// Linear tables with entries in [1/2, 1) or 0; every third in log form.
Table randomTable(std::mt19937_64 &random, int32_t scale, bool isSigned) {
  Table table;
  table.state = {scale, -1, -1, random() % 3 == 0 ? 1 : 0};
  bool zero = true;
  for (int i = 0; i < 4; ++i) {
    double entry = random() % 4 == 0 ? 0 : 0.5 + static_cast<double>(random() % 1000) / 2001;
    const int sign = isSigned && entry != 0 && random() % 2 ? -1 : 1;
    zero &= entry == 0;
    table.entries.push_back(table.state.form != 0 ? std::log2(entry) : sign * entry);
    table.signs.push_back(static_cast<int8_t>(sign));
  }
  if (zero) {
    table.state = {};
    table.entries.assign(4, 0);
  }
  return table;
}

TEST(AccumulateSlice, AgreesWithLongDouble) {
  std::mt19937_64 random(4);
  for (int trial = 0; trial < 3000; ++trial) {
    const bool isSigned = trial % 2 == 0;
    const Reduce reduce = isSigned ? Reduce::Sum : static_cast<Reduce>(random() % 3);
    const int32_t base = static_cast<int32_t>(random() % 2'000'000) - 1'000'000;
    const int32_t apart = trial % 5 == 0 ? 3000 : 40; // too far apart for linear form, or not
    Table sum = randomTable(random, 0, isSigned);
    std::vector<long double> expected(4, 0), magnitude(4, 0);
    for (int slice = 0; slice < 5; ++slice) {
      const Table next =
          randomTable(random, base + static_cast<int32_t>(random() % 2) * apart, isSigned);
      accumulateSlice({reduce, false, trial % 7 == 0, slice == 0}, next.view(), sum.target());
      for (size_t i = 0; i < 4; ++i) {
        const long double value = next.value(i, base);
        magnitude[i] += std::abs(value);
        expected[i] = slice == 0              ? value
                      : reduce == Reduce::Sum ? expected[i] + value
                      : reduce == Reduce::Max ? std::max(expected[i], value)
                                              : std::min(expected[i], value);
      }
    }
    for (size_t i = 0; i < 4; ++i)
      ASSERT_NEAR(static_cast<double>(sum.value(i, base) / std::max(1e-300L, magnitude[i])),
                  static_cast<double>(expected[i] / std::max(1e-300L, magnitude[i])), 1e-11)
          << "trial " << trial << " entry " << i;
  }
}

TEST(AccumulateSlice, SaysWhichSliceIsBest) {
  Table sum{{0, -1, -1, 0}, {0.5}, {1}};
  const SliceSum max{Reduce::Max, false, false, false};
  const Table same{{0, -1, -1, 0}, {0.5}, {1}}, less{{-3, -1, -1, 0}, {0.9}, {1}},
      more{{1, -1, -1, 0}, {0.5}, {1}}, zero{{}, {0}, {1}};
  EXPECT_TRUE(accumulateSlice({Reduce::Max, false, false, true}, same.view(), sum.target()));
  EXPECT_FALSE(accumulateSlice(max, same.view(), sum.target())) << "the first of equals stays";
  EXPECT_FALSE(accumulateSlice(max, less.view(), sum.target()));
  EXPECT_FALSE(accumulateSlice(max, zero.view(), sum.target()));
  EXPECT_TRUE(accumulateSlice(max, more.view(), sum.target()));
  EXPECT_EQ(sum.value(0, 0), 1);
  EXPECT_TRUE(accumulateSlice({Reduce::Min, false, false, false}, zero.view(), sum.target()));
  EXPECT_TRUE(sum.state.allZero());
}

TEST(AccumulateSlice, PlainTablesAreComparedAsTheyAre) {
  Table sum{{0, 0, 0, 0}, {-3, 2}, {1, 1}};
  const Table next{{0, 0, 0, 0}, {-1, -INFINITY}, {1, 1}};
  EXPECT_TRUE(accumulateSlice({Reduce::Max, true, false, false}, next.view(), sum.target()));
  EXPECT_EQ(sum.entries, (std::vector<double>{-1, 2}));
  EXPECT_FALSE(accumulateSlice({Reduce::Max, true, false, false}, next.view(), sum.target()));
}

} // namespace
} // namespace mpf
