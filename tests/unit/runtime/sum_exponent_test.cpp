// The common exponent of the tables of programs that add costs.
#include "runtime/execute/sum_exponent.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace mpf {
namespace {

using Inputs = std::vector<std::optional<int32_t>>;

TEST(SumExponent, IsZeroWhereSumsFit) {
  EXPECT_EQ(sumExponent(ElementType::F64, Inputs{}), 0);
  EXPECT_EQ(sumExponent(ElementType::F64, Inputs{std::nullopt, 3, -1074}), 0);
  EXPECT_EQ(sumExponent(ElementType::F64, Inputs{1021, 1021}), 0);
  EXPECT_EQ(sumExponent(ElementType::F32, Inputs{125, std::nullopt}), 0);
  EXPECT_EQ(sumExponent(ElementType::F32, Inputs{-64, -1000}), 0);
}

TEST(SumExponent, MakesRoomForTheGreatestSum) {
  for (const size_t terms : {1, 2, 3, 4, 5, 8, 9, 1000}) {
    const int32_t exponent = sumExponent(ElementType::F64, Inputs(terms, 1023));
    EXPECT_GT(exponent, 0);
    double sum = 0;
    for (size_t i = 0; i < terms; ++i)
      sum += std::ldexp(std::numeric_limits<double>::max(), -exponent);
    EXPECT_TRUE(std::isfinite(sum)) << terms;
  }
}

TEST(SumExponent, LiftsCostsThatF32DoesNotTellFromZero) {
  const int32_t exponent = sumExponent(ElementType::F32, Inputs{-997, -996});
  EXPECT_LT(exponent, -1000);
  EXPECT_TRUE(std::isnormal(static_cast<float>(std::ldexp(1e-300, -exponent))));
}

TEST(SumExponent, ReadsFiniteMagnitudes) {
  EXPECT_EQ(greatestExponent(std::vector<double>{0, -INFINITY}), std::nullopt);
  EXPECT_EQ(greatestExponent(std::vector<double>{1, -5, 5e-324}), 2);
  EXPECT_EQ(greatestExponent(std::vector<double>{-5e-324}), -1074);
}

} // namespace
} // namespace mpf
