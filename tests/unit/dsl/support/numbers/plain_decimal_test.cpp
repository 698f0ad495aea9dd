#include "dsl/support/numbers/plain_decimal.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <string>

using namespace mpf;

namespace {

/// Returns the value if the whole text was read.
std::optional<double> scan(const std::string &text) {
  double value = 0;
  const char *end = text.data() + text.size();
  return scanPlainDecimal(text.data(), end, value) == end ? std::optional(value) : std::nullopt;
}

uint64_t bits(double value) { return std::bit_cast<uint64_t>(value); }

} // namespace

TEST(PlainDecimal, BitsAreStrtods) {
  std::mt19937_64 random(1);
  size_t read = 0;
  for (int i = 0; i < 300000; ++i) {
    std::string text = random() % 4 == 0 ? "-" : "";
    for (uint64_t digits = random() % 18; digits > 0; --digits)
      text += static_cast<char>('0' + random() % 10);
    if (random() % 4 != 0)
      text += '.';
    for (uint64_t digits = random() % 24; digits > 0; --digits)
      text += static_cast<char>('0' + (random() % 3 == 0 ? random() % 10 : 0));
    if (const auto value = scan(text)) {
      ++read;
      ASSERT_EQ(bits(*value), bits(std::strtod(text.c_str(), nullptr))) << text;
    }
  }
  EXPECT_GT(read, 100000u);
}

TEST(PlainDecimal, EdgesOfTheExactRange) {
  EXPECT_EQ(scan("9007199254740992"), 0x1p53);
  EXPECT_EQ(scan("9007199254740993"), std::nullopt) << "2^53 + 1 is no double";
  EXPECT_EQ(scan("0.0000000000000000000001"), 1e-22);
  EXPECT_EQ(scan("0.00000000000000000000001"), std::nullopt);
  EXPECT_EQ(scan(".5"), 0.5);
  EXPECT_EQ(scan("5."), 5.0);
  EXPECT_TRUE(std::signbit(scan("-0").value()));
}

TEST(PlainDecimal, LeavesTheRestToOthers) {
  for (const char *text : {"", "-", ".", "-.", "e5", "1e5", "1E5", "1.e5", "inf", "+1", "--1"})
    EXPECT_EQ(scan(text), std::nullopt) << text;
  double value = 0;
  const std::string text = "12x";
  EXPECT_EQ(scanPlainDecimal(text.data(), text.data() + 3, value), text.data() + 2);
}
