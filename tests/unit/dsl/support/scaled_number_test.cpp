#include "dsl/support/scaled_number.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

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

} // namespace
} // namespace mpf
