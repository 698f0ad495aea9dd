#include "dsl/support/numbers/scaled_text.h"

#include "dsl/support/wide_table.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace mpf {
namespace {

TEST(ScaledText, ReadsBackToTheSameBits) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 5000; ++trial) {
    const double mantissa =
        std::ldexp(static_cast<double>(random() >> 12 | uint64_t{1} << 52), -52);
    const int64_t range = trial % 2 == 0 ? 8000 : kMostWideExponent;
    const ScaledNumber number{trial % 3 == 0 ? -mantissa : mantissa,
                              static_cast<int64_t>(random() % (2 * range)) - range};
    const std::string text = formatScaled(number);
    const auto read = parseScaled(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(read->mantissa, number.mantissa) << text;
    EXPECT_EQ(read->exponent, number.exponent) << text;
  }
}

TEST(ScaledText, Decimals) {
  EXPECT_EQ(formatScaled(*parseScaled("1e-400")), "1e-400");
  EXPECT_EQ(formatScaled(*parseScaled("-0.00025e1000")), "-2.5e996");
  EXPECT_EQ(formatScaled(*parseScaled("0.5")), "0.5");
  EXPECT_EQ(parseScaled("0e-999")->sign(), 0);
  EXPECT_GT(parseScaled("1e99999999999")->exponent, kMostWideExponent);
  EXPECT_FALSE(parseScaled("1e"));
  EXPECT_FALSE(parseScaled("inf"));
  EXPECT_FALSE(parseScaled(""));
}

TEST(WideTable, HoldsMantissasAndExponents) {
  const std::vector<double> stored =
      widened(std::vector<double>{0, 3, 0}, std::vector<FarValue>{{2, {-1.5, -4000}}});
  EXPECT_EQ(stored, (std::vector<double>{0, 1.5, -1.5, 0, 1, -4000}));
  EXPECT_TRUE(isWideTable(stored));
  const StoredValues values(stored, 3);
  EXPECT_TRUE(values.isWide());
  EXPECT_EQ(values.at(2).exponent, -4000);
  EXPECT_FALSE(StoredValues(stored, 6).isWide());
  EXPECT_FALSE(isWideTable(std::vector<double>{0.5, 0}));
  EXPECT_FALSE(isWideTable(std::vector<double>{1, 0.5}));
  EXPECT_FALSE(isWideTable(std::vector<double>{0, 1}));
  EXPECT_FALSE(isWideTable(std::vector<double>{1, 0x1p25}));
}

} // namespace
} // namespace mpf
