#include "dsl/support/scaled_number.h"

#include "dsl/support/vectors/scaled_logs.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <random>
#include <vector>

namespace mpf {
namespace {

TEST(ScaledNumber, TheShortWayToALogarithmHasItsBits) {
  using Limits = std::numeric_limits<double>;
  for (const double value :
       {1.0, 0.1, 1.9999999999999998, -0.7, 3e-200, Limits::min(), Limits::max(),
        Limits::denorm_min(), 3e-310, 0.0, -0.0, Limits::infinity()})
    for (const int32_t exponent :
         {0,     1,     -1,    60,   -60,   700,  -700,  1022,      1023,      1024,
          -1021, -1022, -1023, 2045, -2045, 2100, -2100, 1'000'000, INT32_MAX, INT32_MIN})
      EXPECT_EQ(std::bit_cast<uint64_t>(lnOfScaled(value, exponent)),
                std::bit_cast<uint64_t>(ScaledNumber::fromValue(value, exponent).ln()))
          << value << " * 2^" << exponent;
  EXPECT_TRUE(std::isnan(lnOfScaled(Limits::quiet_NaN(), 3)));
  EXPECT_EQ(lnOfScaled(0.25, 2), 0);
}

/// Vectors of every length give the bits of each number alone, those that are not normal included.
TEST(ScaledNumber, ManyLogarithmsHaveTheBitsOfEach) {
  using Limits = std::numeric_limits<double>;
  const double odd[] = {0.0, -0.0, Limits::denorm_min(), Limits::infinity(), Limits::quiet_NaN()};
  std::mt19937_64 random(3);
  for (const size_t count : {0u, 1u, 7u, 8u, 511u, 512u, 513u, 3000u})
    for (const bool hasOdd : {false, true}) {
      std::vector<double> values(count), logs(count);
      std::vector<int32_t> exponents(count);
      for (size_t i = 0; i < count; ++i) {
        values[i] = (random() % 2 == 0 ? 1 : -1) *
                    std::ldexp(1 + static_cast<double>(random() >> 12) * 0x1p-52,
                               static_cast<int>(random() % 200) - 100);
        exponents[i] = static_cast<int32_t>(random() % 64) - 32;
      }
      if (hasOdd && count != 0)
        values[count / 2] = odd[count % std::size(odd)];
      if (hasOdd && count > 5)
        exponents[4] = 5000;
      for (size_t i = 0; hasOdd && i < count; i += 3) // like cases of probability zero
        values[i] = std::copysign(0.0, values[i]);
      lnOfScaled(values.data(), exponents.data(), count, logs.data());
      for (size_t i = 0; i < count; ++i) {
        const double alone = lnOfScaled(values[i], exponents[i]);
        ASSERT_TRUE(std::isnan(alone)
                        ? std::isnan(logs[i])
                        : std::bit_cast<uint64_t>(logs[i]) == std::bit_cast<uint64_t>(alone))
            << values[i];
        if (std::isnormal(values[i]) && exponents[i] != 5000) {
          const double exact = std::log(std::abs(std::ldexp(values[i], exponents[i])));
          ASSERT_NEAR(logs[i], exact, std::abs(exact) * 0x1p-52);
        }
      }
    }
}

TEST(ScaledNumber, TheNearestDoubleIsThereForEveryNumber) {
  EXPECT_EQ((ScaledNumber{1.5, 3}.nearest()), 12);
  EXPECT_EQ((ScaledNumber{1.0, -1074}.nearest()), 0x1p-1074);
  EXPECT_EQ((ScaledNumber{1.0, INT64_MIN}.nearest()), 0);
  EXPECT_EQ((ScaledNumber{-1.0, INT64_MAX}.nearest()), -HUGE_VAL);
  EXPECT_EQ(ScaledNumber().nearest(), 0);
}

/// The bits are equal on every machine: for numbers around 1, where digits cancel, and at the ends.
TEST(ScaledNumber, LogarithmsAreTheSameOnEveryMachine) {
  EXPECT_EQ(lnOfScaled(1.0, 0), 0.0);
  EXPECT_EQ(lnOfScaled(2.0, 0), 0x1.62e42fefa39efp-1);
  EXPECT_EQ(lnOfScaled(0.5, 0), -0x1.62e42fefa39efp-1);
  EXPECT_EQ(lnOfScaled(1.0 + 0x1p-52, 0), 0x1.fffffffffffffp-53);
  EXPECT_EQ(lnOfScaled(std::numeric_limits<double>::max(), 0), 0x1.62e42fefa39efp+9);
  EXPECT_EQ(lnOfScaled(std::numeric_limits<double>::min(), 0), -0x1.6232bdd7abcd2p+9);
  uint64_t bits = 0;
  for (int i = 1; i < 100'000; ++i)
    bits = bits * 31 + std::bit_cast<uint64_t>(lnOfScaled(i * 0x1.3p-7, i % 50 - 25));
  EXPECT_EQ(bits, UINT64_C(17595719219494726614)); // as Python computes it
}

} // namespace
} // namespace mpf
