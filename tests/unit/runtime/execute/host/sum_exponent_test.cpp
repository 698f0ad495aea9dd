// The common exponent of the tables of programs that add costs.
#include "runtime/execute/host/sum_exponent.h"

#include "codegen/bundle/table_state.h"
#include "tests/oracle/bundle_builder.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace mpf {
namespace {

using Inputs = std::vector<std::optional<int32_t>>;
constexpr Semiring kMaxSum{Reduce::Max, Combine::Plus};

/// Returns a bundle for the greatest sum of one entry of each of `count` inputs.
Bundle sumOf(size_t count, ElementType type) {
  oracle::BundleBuilder builder;
  const VarId x = builder.variable(2);
  BufferId sum = builder.input({x}, {0, 1});
  for (size_t i = 1; i < count; ++i)
    sum = builder.operation(kMaxSum, {sum, builder.input({x}, {0, 1})}, {x});
  builder.output(builder.operation(kMaxSum, {sum}, {}));
  Bundle bundle = builder.finish();
  bundle.type = type;
  return bundle;
}

int32_t exponentOf(ElementType type, const Inputs &inputs) {
  return sumExponent(sumOf(inputs.size(), type), inputs);
}

TEST(SumExponent, IsZeroWhereSumsFit) {
  EXPECT_EQ(exponentOf(ElementType::F64, {std::nullopt}), 0);
  EXPECT_EQ(exponentOf(ElementType::F64, {std::nullopt, 3, -1074}), 0);
  EXPECT_EQ(exponentOf(ElementType::F64, {1021, 1021}), 0);
  EXPECT_EQ(exponentOf(ElementType::F32, {125, std::nullopt}), 0);
  EXPECT_EQ(exponentOf(ElementType::F32, {-64, -1000}), 0);
}

TEST(SumExponent, MakesRoomForTheGreatestSum) {
  for (const size_t terms : {1, 2, 3, 4, 5, 8, 9, 100}) {
    const int32_t exponent = exponentOf(ElementType::F64, Inputs(terms, 1023));
    EXPECT_GT(exponent, 0);
    double sum = 0;
    for (size_t i = 0; i < terms; ++i)
      sum += std::ldexp(std::numeric_limits<double>::max(), -exponent);
    EXPECT_TRUE(std::isfinite(sum)) << terms;
  }
}

/// The host does not know the values of inputs on a device in advance.
TEST(SumExponent, TellsHowGreatUnseenInputsMayBe) {
  for (const ElementType type : {ElementType::F64, ElementType::F32})
    for (const std::optional<int32_t> host : Inputs{std::nullopt, -100, 3, 127}) {
      const Bundle bundle = sumOf(3, type);
      const std::vector<bool> unseen = {false, true, true};
      const int32_t exponent = sumExponent(bundle, Inputs{host, 0, 0});
      const int32_t most = greatestWithin(bundle, {host, 0, 0}, unseen, exponent);
      EXPECT_LE(sumExponent(bundle, Inputs{host, most, most}), exponent);
      EXPECT_GT(sumExponent(bundle, Inputs{host, most + 1, most + 1}), exponent);
      if (host != 127) { // whose sum with anything that counts takes one more binade in f32
        EXPECT_GE(most, exponentRange(type).greatest - 4);
      }
    }
}

/// Networks of equal tables store one message for many.
TEST(SumExponent, CountsATableAsOftenAsItIsAdded) {
  oracle::BundleBuilder builder;
  const VarId x = builder.variable(2);
  BufferId sum = builder.input({x}, {0, 1});
  for (int i = 0; i < 20; ++i)
    sum = builder.operation(kMaxSum, {sum, sum}, {x});
  builder.output(builder.operation(kMaxSum, {sum}, {}));
  const Bundle bundle = builder.finish();
  EXPECT_EQ(sumExponent(bundle, Inputs{1002}), 0);
  EXPECT_EQ(sumExponent(bundle, Inputs{1003}), 1);
  EXPECT_EQ(sumExponent(bundle, Inputs{1023}), 21);
}

TEST(SumExponent, LiftsCostsThatTheTypeDoesNotTellFromZero) {
  const int32_t exponent = exponentOf(ElementType::F32, {-997, -996});
  EXPECT_LT(exponent, -1000);
  EXPECT_TRUE(std::isnormal(static_cast<float>(std::ldexp(1e-300, -exponent))));
  EXPECT_EQ(exponentOf(ElementType::F64, {-512, -5000}), 0);
  EXPECT_EQ(exponentOf(ElementType::F64, {-513, std::nullopt}), -513 + 1 - 1023);
  for (const int32_t greatest : {-1074, -1329, -7213, -16777216}) {
    const int32_t lifted = exponentOf(ElementType::F64, {greatest, greatest - 1});
    EXPECT_TRUE(std::isnormal(std::ldexp(1.0, greatest - lifted))) << greatest;
    EXPECT_TRUE(std::isfinite(2 * std::ldexp(1.0, greatest - lifted))) << greatest;
  }
}

TEST(SumExponent, ReadsFiniteMagnitudes) {
  EXPECT_EQ(greatestExponent(std::vector<double>{0, -INFINITY}), std::nullopt);
  EXPECT_EQ(greatestExponent(std::vector<double>{1, -5, 5e-324}), 2);
  EXPECT_EQ(greatestExponent(std::vector<double>{-5e-324}), -1074);
}

} // namespace
} // namespace mpf
