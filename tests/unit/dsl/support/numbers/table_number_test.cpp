#include "dsl/support/numbers/table_number.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>

namespace mpf {
namespace {

using Kind = TableNumber::Kind;
using Limits = std::numeric_limits<double>;

Kind kindOf(std::string_view text) { return readTableNumber(text).kind; }

TEST(TableNumber, KindsOfTexts) {
  for (const char *text : {"0", "-0", "0e-999", "0.000000", "1", "+2.5", "-1e-300", "9e307"})
    EXPECT_EQ(kindOf(text), Kind::Plain) << text;
  for (const char *text : {"9e308", "1e309", "-1e309", "1e-310", "5e-324", "-1e-400", "1e5000"})
    EXPECT_EQ(kindOf(text), Kind::Far) << text;
  for (const char *text : {"1e6000000", "-1e6000000", "1e-6000000", "-1e-6000000", "1e99999999999"})
    EXPECT_EQ(kindOf(text), Kind::Beyond) << text;
  for (const char *text : {"", "inf", "-inf", "nan", "1e", "x", "1 ", "0x1p3"})
    EXPECT_EQ(kindOf(text), Kind::None) << text;
  EXPECT_LT(readTableNumber("-1e-6000000").far.mantissa, 0);
}

/// The same value has the same kind and bits, however many zeros, signs and points spell it.
TEST(TableNumber, TheSpellingDoesNotCount) {
  for (int exponent = -420; exponent <= 420; ++exponent) {
    const TableNumber plain = readTableNumber(fmt::format("9e{}", exponent));
    const bool isNormal = exponent >= -308 && exponent < 308;
    EXPECT_EQ(plain.kind == Kind::Plain, isNormal) << exponent;
    const char sign = exponent < 0 ? '-' : '+';
    for (const std::string &text :
         {fmt::format("+9e{}", exponent), fmt::format("9.0E{}{:06}", sign, std::abs(exponent)),
          fmt::format("0009.e{}", exponent), fmt::format("90e{}", exponent - 1),
          fmt::format("0.9e{}", exponent + 1)}) {
      const TableNumber other = readTableNumber(text);
      EXPECT_EQ(other.kind, plain.kind) << text;
      EXPECT_EQ(other.nearest, plain.nearest) << text;
      EXPECT_EQ(other.far.exponent, plain.far.exponent) << text;
      EXPECT_EQ(other.far.mantissa, plain.far.mantissa) << text;
    }
  }
}

TEST(TableNumber, TheNearestFiniteDoubleIsZeroForZeroAlone) {
  EXPECT_EQ(nearestFinite({1.5, 3}), 12);
  EXPECT_EQ(nearestFinite({1.0, 5000}), Limits::max());
  EXPECT_EQ(nearestFinite({-1.0, 5000}), Limits::lowest());
  EXPECT_EQ(nearestFinite({1.0, -5000}), Limits::denorm_min());
  EXPECT_EQ(nearestFinite({-1.0, -5000}), -Limits::denorm_min());
  EXPECT_EQ(nearestFinite({1.0, -1074}), 0x1p-1074);
  EXPECT_EQ(nearestFinite({}), 0);
  EXPECT_EQ(nearestFinite({Limits::infinity(), 0}), Limits::infinity());
}

} // namespace
} // namespace mpf
