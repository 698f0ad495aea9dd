#include "runtime/execute/host/magnitudes.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

namespace mpf {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSubnormal = std::numeric_limits<double>::denorm_min();

Magnitudes magnitudesOf(const std::vector<double> &values) {
  Magnitudes magnitudes;
  magnitudes.add(values.data(), values.size(), 1);
  return magnitudes;
}

TEST(Magnitudes, Zeros) {
  EXPECT_TRUE(magnitudesOf({}).allZero());
  EXPECT_TRUE(magnitudesOf({0.0, -0.0}).allZero());
  EXPECT_FALSE(magnitudesOf({0.0, -0.0}).hasNegative);
  EXPECT_FALSE(magnitudesOf({0.0, kSubnormal}).allZero());
}

TEST(Magnitudes, Extremes) {
  const Magnitudes some = magnitudesOf({0.0, -3.0, kSubnormal, 2.0});
  EXPECT_EQ(some.least(), kSubnormal);
  EXPECT_EQ(some.greatest(), 3);
  EXPECT_TRUE(some.hasNegative);
  EXPECT_TRUE(some.allFinite());
}

TEST(Magnitudes, ValuesThatAreNotFinite) {
  for (const double value : {kInfinity, -kInfinity, std::nan(""), -std::nan("")})
    EXPECT_FALSE(magnitudesOf({1.0, value, 2.0}).allFinite());
}

TEST(Magnitudes, EveryPlaceInARow) {
  for (size_t size = 1; size < 12; ++size)
    for (size_t place = 0; place < size; ++place) {
      std::vector<double> values(size, 3.0);
      values[place] = -5.0;
      EXPECT_EQ(magnitudesOf(values).greatest(), 5);
      EXPECT_TRUE(magnitudesOf(values).hasNegative);
      values[place] = kSubnormal;
      EXPECT_EQ(magnitudesOf(values).least(), kSubnormal);
      EXPECT_EQ(magnitudesOf(values).greatest(), size == 1 ? kSubnormal : 3);
      EXPECT_FALSE(magnitudesOf(values).hasNegative);
      values[place] = -0.0;
      EXPECT_EQ(magnitudesOf(values).allZero(), size == 1);
      EXPECT_FALSE(magnitudesOf(values).hasNegative);
      for (const double value : {kInfinity, -kInfinity, std::nan("")}) {
        values[place] = value;
        EXPECT_FALSE(magnitudesOf(values).allFinite());
      }
    }
}

TEST(Magnitudes, StepsAgainstSingleValues) {
  std::mt19937_64 random(5);
  std::vector<double> values(101);
  for (double &value : values)
    value = std::ldexp(1.0 + static_cast<double>(random() % 7),
                       static_cast<int>(random() % 2000) - 1020);
  for (const uint64_t step : {1, 2, 5}) {
    Magnitudes rows;
    rows.add(values.data(), 20, step);
    double least = kInfinity, greatest = 0;
    for (size_t i = 0; i < 20; ++i) {
      least = std::min(least, values[i * step]);
      greatest = std::max(greatest, values[i * step]);
    }
    EXPECT_EQ(rows.least(), least);
    EXPECT_EQ(rows.greatest(), greatest);
  }
}

} // namespace
} // namespace mpf
