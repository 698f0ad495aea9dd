#include "tools/mpfc/cases/exact_sum.h"

#include <algorithm>
#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace mpf::driver {
namespace {

double sumOf(const std::vector<double> &terms) {
  ExactSum sum;
  sum.add(terms.data(), terms.size());
  return sum.value();
}

TEST(ExactSum, OfWholeNumbersAndFractionsOfBothSigns) {
  EXPECT_EQ(sumOf({}), 0);
  EXPECT_EQ(sumOf({-0.75}), -0.75);
  EXPECT_EQ(sumOf({1.5, -2.25, 0.5}), -0.25);
  EXPECT_EQ(sumOf({-0x1p62, 1, 0x1p62}), 1);
  EXPECT_EQ(sumOf({-0x1p62, -0x1p62, 0x1p62, 3, 0x1p62}), 3);
  EXPECT_EQ(sumOf({-0x1p-62, -3}), -3);
  EXPECT_EQ(sumOf({0x1p-62, -0x1p-61}), -0x1p-62);
  EXPECT_EQ(sumOf({-12.375}), -12.375);
  EXPECT_EQ(sumOf({0x1p30, 0x1p-62, -0x1p30}), 0x1p-62);
  EXPECT_EQ(sumOf({0x1.fffffffp29, -0x1p-50}), 0x1.fffffffp29 - 0x1p-50);
  EXPECT_EQ(sumOf({-0x1.fffffffp29, 0x1.8p-62, -0x1p-62}), -0x1.fffffffp29);
}

/// A loop of doubles gives 0: each term is lost next to the first.
TEST(ExactSum, KeepsTermsThatAreSmallBesideTheSum) {
  std::vector<double> terms(4097, 0x1p-20);
  terms.front() = 0x1p40;
  terms.push_back(-0x1p40);
  EXPECT_EQ(sumOf(terms), 4096 * 0x1p-20);
}

TEST(ExactSum, IsTheSameInAnyOrderAndAnyParts) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> logarithm(-20, 15);
  std::vector<double> terms(10000);
  for (double &term : terms)
    term = logarithm(random);
  terms[77] = 0x1.23456789abcdp40; // and its piece with it goes another way
  const double whole = sumOf(terms);
  long double expected = 0;
  for (const double term : terms)
    expected += term;
  EXPECT_NEAR(whole, static_cast<double>(expected), 1e-3);
  for (int trial = 0; trial < 20; ++trial) {
    std::shuffle(terms.begin(), terms.end(), random);
    ExactSum sum;
    for (size_t first = 0; first < terms.size();) {
      const size_t count = std::min<size_t>(terms.size() - first, random() % 700);
      ExactSum part;
      part.add(terms.data() + first, count);
      sum.add(part);
      first += count;
    }
    EXPECT_EQ(sum.value(), whole);
  }
}

} // namespace
} // namespace mpf::driver
