// Tests exact arithmetic: against integers, against doubles where those are exact, and far outside
// both.
#include "dsl/support/error.h"
#include "tests/oracle/edge/exact_number.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace mpf::oracle {
namespace {

ExactNumber exact(double value) { return ExactNumber::fromDouble(value); }

TEST(ExactNumber, IntegersAreIntegers) {
  std::mt19937_64 random(1);
  const auto draw = [&] { return static_cast<int64_t>(random() % 2000001) - 1000000; };
  for (int i = 0; i < 10000; ++i) {
    const int64_t a = draw(), b = draw();
    const auto of = [](int64_t n) { return exact(static_cast<double>(n)); };
    EXPECT_EQ(of(a) + of(b), of(a + b));
    EXPECT_EQ(of(a) - of(b), of(a - b));
    EXPECT_EQ(of(a) * of(b), of(a * b));
    EXPECT_EQ(of(a) <=> of(b), a <=> b);
    EXPECT_EQ(of(a).abs(), of(std::abs(a)));
    EXPECT_EQ(of(a).sign(), (a > 0) - (a < 0));
  }
}

TEST(ExactNumber, EveryDoubleComesBack) {
  const double values[] = {5e-324, -1e-320, 2.2250738585072014e-308,           1e-300, 0.1, 1.0 / 3,
                           -1,     1e308,   std::numeric_limits<double>::max()};
  for (const double value : values) {
    const ExactNumber::Scaled scaled = exact(value).scaled();
    EXPECT_EQ(static_cast<double>(std::ldexp(scaled.mantissa, static_cast<int>(scaled.exponent))),
              value);
    EXPECT_EQ(exact(value).topExponent(), std::ilogb(value));
  }
  EXPECT_TRUE(exact(-0.0).isZero());
  EXPECT_EQ(exact(0.0).scaled().mantissa, 0);
  EXPECT_THROW(exact(std::numeric_limits<double>::infinity()), Error);
  EXPECT_THROW(exact(std::nan("")), Error);
}

TEST(ExactNumber, NothingIsRoundedBeyondTheRangeOfDoubles) {
  const ExactNumber tiny = exact(5e-324), huge = exact(std::numeric_limits<double>::max());
  EXPECT_EQ(tiny * tiny, ExactNumber::powerOfTwo(-2148));
  ExactNumber product = huge;
  for (int i = 0; i < 9; ++i)
    product *= huge;
  EXPECT_EQ(product.topExponent(), 10239);
  EXPECT_GT(product + tiny, product);
  EXPECT_EQ(product + tiny - product, tiny);
  EXPECT_LT(exact(0.1) + exact(0.2), exact(0.3).shifted(1));
  EXPECT_NE(exact(0.1) + exact(0.2), exact(0.1 + 0.2));
}

TEST(ExactNumber, LogarithmsAndText) {
  EXPECT_EQ(ExactNumber::powerOfTwo(-100000).log2(), -100000);
  EXPECT_NEAR(static_cast<double>(exact(3).log2()), std::log2(3.0), 1e-15);
  EXPECT_TRUE(std::isinf(ExactNumber().log2()));
  EXPECT_EQ(exact(-0.25).text(), "-2.5e-1");
  EXPECT_EQ((exact(1e-300) * exact(1e-300)).text(), "1e-600");
  EXPECT_EQ(ExactNumber().text(), "0");
}

TEST(ExactNumber, ClosenessOfNumbersThatAreFarApart) {
  const ExactNumber one = exact(1), far = ExactNumber::powerOfTwo(int64_t{1} << 40);
  EXPECT_FALSE(isWithin(far, one, one));
  EXPECT_FALSE(isWithin(one, far, one));
  EXPECT_TRUE(isWithin(one, far, far));
  EXPECT_TRUE(isWithin(ExactNumber::powerOfTwo(-(int64_t{1} << 40)), one, one));
  EXPECT_TRUE(isWithin(exact(1.5), one, exact(0.5)));
  EXPECT_FALSE(isWithin(exact(1.5), one, exact(0.4999)));
  EXPECT_TRUE(isWithin(ExactNumber(), ExactNumber(), ExactNumber()));
  EXPECT_FALSE(isWithin(exact(5e-324), ExactNumber(), ExactNumber()));
}

} // namespace
} // namespace mpf::oracle
