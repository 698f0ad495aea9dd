// Products and sums that the simplifier forms: exact at the ends of f64's range, or refused; and
// nothing else can form one.
#include "codegen/simplify/state/table_arithmetic.h"

#include <cmath>
#include <concepts>
#include <gtest/gtest.h>
#include <limits>

namespace mpf {
namespace {

template <class A, class B>
concept Computes = requires(A a, B b) {
  a + b;
}
|| requires(A a, B b) { a *b; }
|| requires(A a, B b) { a - b; }
|| requires(A a, B b) { a / b; }
|| requires(A a, B b) { a < b; };
static_assert(!Computes<Entry, Entry> && !Computes<Entry, double> && !Computes<double, Entry>);
static_assert(!std::convertible_to<Entry, double> && !std::convertible_to<double, Entry>);

constexpr double kLeast = std::numeric_limits<double>::denorm_min();
constexpr double kGreatest = std::numeric_limits<double>::max();
const Algebra kSumProduct(Semiring{Reduce::Sum, Combine::Times});
const Algebra kMaxSum(Semiring{Reduce::Max, Combine::Plus});

EntryTable tableOf(std::vector<double> values) {
  return EntryTable(std::make_shared<const std::vector<double>>(std::move(values)));
}

/// A table over one variable times another over the same.
std::optional<ScaledTable> product(std::vector<double> a, std::vector<double> b,
                                   const Algebra &algebra = kSumProduct) {
  const auto states = static_cast<uint32_t>(a.size());
  return combineTables(tableOf(std::move(a)), {states}, tableOf(std::move(b)), {0}, algebra);
}

double valueOf(const ScaledTable &scaled, size_t i) {
  return std::ldexp((*scaled.table.values())[i], static_cast<int>(scaled.exponent));
}

TEST(TableArithmetic, ProductsOfSubnormalNumbersKeepTheirDigits) {
  const auto found = product({kLeast, kLeast}, {1.5, 0.25});
  ASSERT_TRUE(found);
  EXPECT_LT(found->exponent, -1000);
  EXPECT_EQ((*found->table.values())[0] / (*found->table.values())[1], 6);
}

TEST(TableArithmetic, ProductsBeyondTheGreatestNumberHaveAnExponent) {
  const auto found = product({kGreatest, 1}, {kGreatest, kGreatest});
  ASSERT_TRUE(found);
  const std::vector<double> &entries = *found->table.values();
  EXPECT_EQ(ScaledNumber::fromValue(entries[0], found->exponent).exponent, 2047);
  EXPECT_EQ(ScaledNumber::fromValue(entries[1], found->exponent).exponent, 1023);
  EXPECT_EQ(ScaledNumber::fromValue(entries[1]).mantissa,
            ScaledNumber::fromValue(kGreatest).mantissa);
}

TEST(TableArithmetic, AProductTooWideForOneExponentIsRefused) {
  EXPECT_FALSE(product({kLeast, kGreatest}, {kLeast, kGreatest}));
  EXPECT_TRUE(product({kLeast, kGreatest}, {kGreatest, kLeast}));
}

TEST(TableArithmetic, ZerosBoundNothing) {
  const auto found = product({0, kLeast}, {kGreatest, kLeast});
  ASSERT_TRUE(found);
  EXPECT_EQ((*found->table.values())[0], 0);
  EXPECT_EQ(ScaledNumber::fromValue((*found->table.values())[1], found->exponent).exponent, -2148);
}

TEST(TableArithmetic, OrdinaryProductsHaveNoExponent) {
  const auto found = product({0.5, 3}, {0.25, 7});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->exponent, 0);
  EXPECT_EQ(valueOf(*found, 1), 21);
}

TEST(TableArithmetic, SumsOfCostsAreFiniteOrRefused) {
  EXPECT_FALSE(product({kGreatest}, {kGreatest}, kMaxSum));
  const auto found = product({-kInfinity, 1}, {kGreatest, 2}, kMaxSum);
  ASSERT_TRUE(found);
  EXPECT_EQ((*found->table.values())[0], -kInfinity);
  EXPECT_EQ((*found->table.values())[1], 3);
}

TEST(TableArithmetic, ReductionsAreFiniteOrRefused) {
  EXPECT_FALSE(reduceGroups(tableOf({kGreatest, kGreatest}), {2}, 0, {0, 0}, 1, kSumProduct));
  const auto found =
      reduceGroups(tableOf({kLeast, 3 * kLeast, 5}), {3}, 0, {0, 0, 1}, 2, kSumProduct);
  ASSERT_TRUE(found);
  EXPECT_TRUE((*found)[0] == Entry(4 * kLeast) && (*found)[1] == Entry(5));
}

TEST(TableArithmetic, SharesOfAGroupDoNotDependOnItsMagnitude) {
  const auto shares =
      sharesOfGroups(tableOf({kLeast, 3 * kLeast, kGreatest, kGreatest}), {0, 0, 1, 1}, 2);
  ASSERT_TRUE(shares);
  EXPECT_EQ(*shares, (std::vector<double>{0.25, 0.75, 0.5, 0.5}));
  EXPECT_FALSE(sharesOfGroups(tableOf({1, 0}), {0, 0}, 1));
}

TEST(TableArithmetic, ScalesTakeNumbersOfAnyMagnitude) {
  AnswerScale scale;
  for (const double value : {kLeast, 1.75, kGreatest, -kGreatest, 1e300})
    ASSERT_TRUE(kSumProduct.multiplyScale(scale, Entry(value)));
  const ScaledNumber wanted = ScaledNumber::fromValue(kLeast) * ScaledNumber::fromValue(1.75) *
                              ScaledNumber::fromValue(kGreatest) *
                              ScaledNumber::fromValue(-kGreatest) * ScaledNumber::fromValue(1e300);
  EXPECT_EQ(scale.factor.mantissa, wanted.mantissa);
  EXPECT_EQ(scale.factor.exponent, wanted.exponent);
  EXPECT_NEAR(wanted.log10(), 593.446, 0.001);
}

} // namespace
} // namespace mpf
