#include "dsl/support/expression/wide_arithmetic.h"

#include "dsl/support/expression/evaluate_expression.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace mpf {
namespace {

WideValue exponential(double x) { return applyWideUnary(OpCode::Exp, WideValue::of(x)); }
double lnOf(const WideValue &value) { return value.number().ln(); }

TEST(WideArithmetic, PlainNumbersGiveTheBitsOfDoubles) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> numbers(-40, 40);
  for (int trial = 0; trial < 2000; ++trial) {
    const double a = numbers(random),
                 b = trial % 3 == 0 ? std::floor(numbers(random)) : numbers(random);
    for (const OpCode code : {OpCode::Add, OpCode::Subtract, OpCode::Multiply, OpCode::Divide,
                              OpCode::Power, OpCode::Min, OpCode::Less, OpCode::Equal}) {
      const double wanted = applyBinary(code, a, b);
      const WideValue found = applyWideBinary(code, WideValue::of(a), WideValue::of(b));
      ASSERT_TRUE(found.isPlain());
      EXPECT_TRUE(std::isnan(wanted)
                      ? std::isnan(found.value)
                      : std::bit_cast<uint64_t>(wanted) == std::bit_cast<uint64_t>(found.value))
          << static_cast<int>(code) << ": " << a << ", " << b;
    }
    for (const OpCode code : {OpCode::Exp, OpCode::Log, OpCode::Sqrt, OpCode::Abs, OpCode::Negate})
      if (const double wanted = applyUnary(code, std::abs(a)); std::isnormal(wanted)) {
        EXPECT_EQ(applyWideUnary(code, WideValue::of(std::abs(a))).value, wanted);
      }
  }
}

TEST(WideArithmetic, WhatLeavesTheDoublesOnTheWayComesBack) {
  for (const double x : {745.5, 2000.0, 5000.25, 1e6}) {
    const WideValue small = exponential(-x), large = exponential(x - 3);
    EXPECT_FALSE(small.isPlain());
    EXPECT_NEAR(lnOf(small), -x, 1e-9 * x);
    EXPECT_DOUBLE_EQ(applyWideBinary(OpCode::Multiply, small, large).value, std::exp(-3.0)) << x;
    EXPECT_DOUBLE_EQ(applyWideBinary(OpCode::Divide, exponential(2 - x), small).value,
                     std::exp(2.0));
    EXPECT_DOUBLE_EQ(applyWideUnary(OpCode::Log, small).value, -x);
  }
  const WideValue power = applyWideBinary(OpCode::Power, WideValue::of(0.001), WideValue::of(300));
  EXPECT_DOUBLE_EQ(lnOf(power), 300 * std::log(0.001));
  EXPECT_DOUBLE_EQ(lnOf(applyWideUnary(OpCode::Sqrt, power)), 150 * std::log(0.001));
  EXPECT_EQ(applyWideBinary(OpCode::Power, WideValue::of(2), WideValue::of(-7213)).exponent, -7213);
}

TEST(WideArithmetic, FunctionsOfNumbersThatNoDoubleHolds) {
  const WideValue small = exponential(-2000), large = exponential(2000);
  EXPECT_DOUBLE_EQ(applyWideUnary(OpCode::Log10, large).value, 2000 / std::log(10.0));
  EXPECT_EQ(applyWideUnary(OpCode::Floor, small).value, 0);
  EXPECT_EQ(applyWideUnary(OpCode::Ceil, small).value, 1);
  EXPECT_EQ(applyWideUnary(OpCode::Floor, applyWideUnary(OpCode::Negate, small)).value, -1);
  EXPECT_EQ(applyWideUnary(OpCode::Round, large).exponent, large.exponent);
  EXPECT_EQ(applyWideUnary(OpCode::Erf, large).value, 1);
  EXPECT_DOUBLE_EQ(lnOf(applyWideUnary(OpCode::Erf, small)),
                   -2000 + std::log(2 / std::sqrt(std::acos(-1.0))));
  EXPECT_DOUBLE_EQ(applyWideUnary(OpCode::Lgamma, small).value, 2000);
  EXPECT_DOUBLE_EQ(lnOf(applyWideUnary(OpCode::Lgamma, large)), 2000 + std::log(1999.0));
  EXPECT_DOUBLE_EQ(lnOf(applyWideUnary(OpCode::Lgamma, WideValue::of(1e307))),
                   std::log(1e307) + std::log(std::log(1e307) - 1));
}

TEST(WideArithmetic, RemaindersAreExact) {
  const auto power = [](double exponent) {
    return applyWideBinary(OpCode::Power, WideValue::of(2), WideValue::of(exponent));
  };
  const auto modulo = [](const WideValue &a, const WideValue &b) {
    return applyWideBinary(OpCode::Modulo, a, b);
  };
  // 2^5000 = 2^(5000 mod 12) modulo 13, because 2^12 is 1.
  EXPECT_EQ(modulo(power(5000), WideValue::of(13)).value, std::pow(2.0, 5000 % 12) - 247);
  EXPECT_EQ(modulo(power(5000), WideValue::of(-13)).value, std::pow(2.0, 5000 % 12) - 260);
  EXPECT_EQ(modulo(power(-5000), power(5000)).exponent, -5000);
  EXPECT_EQ(modulo(WideValue::of(-7), WideValue::of(3)).value, 2);
  EXPECT_EQ(modulo(WideValue::of(5.5), WideValue::of(-2)).value, -0.5);
  EXPECT_TRUE(std::isnan(modulo(power(5000), WideValue::of(0)).value));
}

TEST(WideArithmetic, SumsAndComparisons) {
  const WideValue small = exponential(-800), smaller = exponential(-801), one = WideValue::of(1);
  EXPECT_EQ(applyWideBinary(OpCode::Add, one, small).value, 1);
  EXPECT_DOUBLE_EQ(lnOf(applyWideBinary(OpCode::Add, small, smaller)),
                   -800 + std::log1p(std::exp(-1.0)));
  EXPECT_EQ(applyWideBinary(OpCode::Subtract, small, small).value, 0);
  EXPECT_EQ(applyWideBinary(OpCode::Less, smaller, small).value, 1);
  EXPECT_EQ(applyWideBinary(OpCode::Less, applyWideUnary(OpCode::Negate, smaller), small).value, 1);
  EXPECT_EQ(applyWideBinary(OpCode::Equal, small, small).value, 1);
  EXPECT_EQ(applyWideBinary(OpCode::Max, small, WideValue::of(0)).value, small.value);
  EXPECT_EQ(applyWideUnary(OpCode::Not, small).value, 0);
}

TEST(WideArithmetic, WhatNoExponentHoldsIsLost) {
  EXPECT_EQ(exponential(1e8).exponent, WideValue::kTooLarge);
  EXPECT_EQ(applyWideUnary(OpCode::Exp, exponential(1000)).exponent, WideValue::kTooLarge);
  const WideValue negative = applyWideUnary(OpCode::Negate, exponential(1000));
  EXPECT_EQ(applyWideUnary(OpCode::Exp, negative).exponent, WideValue::kTooSmall);
  EXPECT_TRUE(applyWideBinary(OpCode::Multiply, exponential(1e8), WideValue::of(0)).isLost());
  EXPECT_EQ(exponential(-INFINITY).value, 0); // exactly
}

/// Evaluates exp(param) * exp(4990 - param) by blocks: entries that need not leave the doubles have
/// the bits that they have alone.
TEST(ExpressionEvaluator, LeavesTheDoublesEntryByEntry) {
  Expression expression;
  expression.code = {{OpCode::Param, 0, 0},
                     {OpCode::Exp, 0, 0},
                     {OpCode::Constant, 0, 0.1},
                     {OpCode::Multiply, 0, 0}};
  std::vector<double> params(600);
  for (size_t i = 0; i < params.size(); ++i)
    params[i] = i == 300 ? -5000 : i == 301 ? 900 : -0.01 * static_cast<double>(i);
  const double *const columns[] = {params.data()};
  std::vector<double> out(params.size());
  const FarValues far = ExpressionEvaluator().evaluateCases(expression, {}, columns, out);
  ASSERT_EQ(far.size(), 2u);
  EXPECT_EQ(far[0].index, 300u);
  EXPECT_DOUBLE_EQ(far[0].value.ln(), -5000 + std::log(0.1));
  EXPECT_DOUBLE_EQ(far[1].value.ln(), 900 + std::log(0.1));
  for (size_t i = 0; i < params.size(); ++i)
    if (i != 300 && i != 301) {
      EXPECT_EQ(out[i], std::exp(params[i]) * 0.1) << i;
    }
}

} // namespace
} // namespace mpf
