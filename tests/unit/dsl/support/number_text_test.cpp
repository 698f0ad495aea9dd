#include "dsl/support/number_text.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace mpf;

TEST(NumberText, EveryBitPatternReadsBack) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (std::isnan(value))
      continue;
    const auto back = parseDouble(formatDouble(value));
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(std::bit_cast<uint64_t>(*back), std::bit_cast<uint64_t>(value))
        << formatDouble(value);
  }
}

TEST(NumberText, OutOfRangeKeepsSignAndDirection) {
  EXPECT_EQ(parseDouble("1e-400"), 0.0);
  EXPECT_TRUE(std::signbit(*parseDouble("-1e-400")));
  EXPECT_EQ(parseDouble("1e400"), std::numeric_limits<double>::infinity());
}

TEST(NumberText, OutOfRangeIsToldByTheFirstDigit) {
  const std::string zeros(400, '0');
  for (const std::string &text :
       {"0." + zeros + "1", "1" + zeros, "0." + zeros + "1e50", "1" + zeros + "e-50",
        "-1" + zeros + "e-800", std::string("1e99999999999999999999"),
        std::string("1e-99999999999999999999"), std::string("1e+400"), std::string("12e-400"),
        std::string("3e-324"), std::string("2e-324"), "0." + zeros + "1e450"}) {
    const auto value = parseDouble(text);
    ASSERT_TRUE(value) << text;
    const double expected = std::strtod(text.c_str(), nullptr);
    EXPECT_EQ(std::bit_cast<uint64_t>(*value), std::bit_cast<uint64_t>(expected)) << text;
  }
}

TEST(NumberText, LeftoversAreRefused) {
  EXPECT_FALSE(parseDouble("1.5x"));
  EXPECT_FALSE(parseDouble(""));
  EXPECT_FALSE(parseDouble("+"));
  EXPECT_FALSE(parseDouble("+-1"));
  EXPECT_FALSE(parseDouble("++1"));
  EXPECT_EQ(parseDouble("+1"), 1.0);
  EXPECT_FALSE(parseUnsigned("18446744073709551616"));
  EXPECT_FALSE(parseUnsigned("-1"));
}

TEST(NumberText, Bytes) {
  EXPECT_EQ(parseBytes("512"), 512u);
  EXPECT_EQ(parseBytes("1.5GiB"), uint64_t{3} << 29);
  EXPECT_EQ(parseBytes("2GB"), 2000000000u);
  EXPECT_FALSE(parseBytes("many"));
  EXPECT_EQ(formatBytes(1536), "1.5 KiB");
  EXPECT_EQ(formatBytes(17), "17 B");
}
