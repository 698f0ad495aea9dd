// Rows of tables divided by their sums, compared with quotients of long doubles.
#include "dsl/model/divided_table.h"
#include "dsl/support/numbers/row_sums.h"
#include "dsl/support/numbers/scaled_sum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace mpf {
namespace {

using Limits = std::numeric_limits<double>;

std::vector<double> dividedRow(const std::vector<double> &stored, uint64_t elems) {
  DividedTable table(stored, elems, elems);
  EXPECT_TRUE(table.divide(0));
  return table.take();
}

TEST(DividedTable, NormalQuotientsHaveTheBitsOfDoubles) {
  EXPECT_EQ(dividedRow({1, 2, 4}, 3), (std::vector<double>{1.0 / 7, 2.0 / 7, 4.0 / 7}));
  EXPECT_EQ(dividedRow({0, 3}, 2), (std::vector<double>{0, 1}));
}

TEST(DividedTable, BecomesWideWhereAQuotientLeavesTheDoubles) {
  const std::vector<double> wide = dividedRow({1e-211, 1e220}, 2);
  ASSERT_EQ(wide.size(), 4u);
  EXPECT_NEAR(StoredValues(wide, 2).at(0).log10(), -431, 1e-12);
  EXPECT_EQ(StoredValues(wide, 2).at(1).value(), 1);
}

TEST(DividedTable, StaysNarrowWhereOnlyTheSumLeavesTheDoubles) {
  EXPECT_EQ(dividedRow({1.5e308, 0.5e308}, 2), (std::vector<double>{0.75, 0.25}));
  const double least = Limits::denorm_min();
  EXPECT_EQ(dividedRow({3 * least, least}, 2), (std::vector<double>{0.75, 0.25}));
  EXPECT_EQ(dividedRow(widened(std::vector<ScaledNumber>{{1.5, 9000}, {1.0, 8999}}), 2),
            (std::vector<double>{0.75, 0.25}));
}

TEST(DividedTable, KeepsARowWithAShareBelowAllExponents) {
  const std::vector<double> stored = widened(
      std::vector<ScaledNumber>{{1, kMostWideExponent}, {1, -kMostWideExponent}, {1, 0}, {1, 0}});
  DividedTable table(stored, 4, 2);
  EXPECT_FALSE(table.divide(0));
  EXPECT_FALSE(table.isDivided());
  EXPECT_TRUE(table.divide(1));
  const std::vector<double> made = table.take();
  EXPECT_EQ(StoredValues(made, 4).at(0).exponent, kMostWideExponent);
  EXPECT_EQ(StoredValues(made, 4).at(3).value(), 0.5);
}

TEST(DividedTable, RandomRowsOfAllMagnitudes) {
  std::mt19937_64 random(11);
  for (int trial = 0; trial < 20000; ++trial) {
    const uint64_t states = 1 + random() % 4;
    const int span = std::array{3, 900, 2000}[random() % 3];
    std::vector<double> row;
    long double sum = 0;
    for (uint64_t i = 0; i < states; ++i) {
      const auto exponent = static_cast<int>(random() % static_cast<uint64_t>(2 * span)) - span;
      row.push_back(random() % 9 == 0 && i != 0
                        ? 0
                        : std::ldexp(1 + static_cast<double>(random() % 1024) / 1024,
                                     std::clamp(exponent, -1074, 1023)));
      sum += static_cast<long double>(row.back());
    }
    const std::vector<double> made = dividedRow(row, states);
    const StoredValues values(made, states);
    for (uint64_t i = 0; i < states; ++i) {
      int shift = 0;
      const long double wanted = std::frexp(static_cast<long double>(row[i]) / sum, &shift);
      EXPECT_NEAR(
          std::ldexp(values.at(i).mantissa, static_cast<int>(values.at(i).exponent) - shift),
          static_cast<double>(wanted), 4e-16);
      EXPECT_EQ(values.at(i).mantissa == 0, row[i] == 0);
    }
    EXPECT_TRUE(!values.isWide() || isWideTable(made));
  }
}

TEST(RowSums, FaultsHaveSumsOfAnyMagnitude) {
  const auto sumOf = [](const std::vector<double> &stored, uint64_t elems) {
    const auto fault = findRowFault(StoredValues(stored, elems), elems);
    return fault ? fault->sumText() : "none";
  };
  EXPECT_EQ(sumOf({1e308, 5e307}, 2), "1.5e+308");
  EXPECT_EQ(sumOf({1.5e308, 1.5e308}, 2), "3e308");
  EXPECT_EQ(sumOf({0.5, 0.25}, 2), "0.75");
  EXPECT_EQ(sumOf(widened(std::vector<ScaledNumber>{{1, 2000}, {1, -2000}}), 2), "1.1481307e602");
  EXPECT_EQ(sumOf(widened(std::vector<ScaledNumber>{{1, 0}, {1, -2000}}), 2), "none");
  EXPECT_EQ(sumOf({0, 0}, 2), "0");
  const std::vector<double> negative = widened(std::vector<ScaledNumber>{{1, 0}, {-1, -2000}});
  const auto fault = findRowFault(StoredValues(negative, 2), 2);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->negative, 1u);
  EXPECT_FALSE(fault->isDivisible());
}

} // namespace
} // namespace mpf
