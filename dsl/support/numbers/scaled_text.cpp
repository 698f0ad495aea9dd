#include "dsl/support/numbers/scaled_text.h"

#include "dsl/support/number_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace mpf {

namespace {

/// log2(10) in 38 bits, whose whole multiples are exact in a long double of 64 bits, and the rest.
constexpr long double kLog2TenHigh = 0x1.a934f09798p+1L;
constexpr long double kLog2TenLow = 0x1.1b8afe492bf6ff4dafdb4cd96c55p-38L;
/// Decimal exponents of a greater magnitude are beyond every table.
constexpr int64_t kMostDecimal = int64_t{1} << 25;
constexpr int kMostDigits = 17;

/// factor * 10^power = mantissa * 2^exponent.
struct BinaryNumber {
  long double mantissa = 0;
  int64_t exponent = 0;
};
BinaryNumber timesPowerOfTen(long double factor, int64_t power) {
  const auto by = static_cast<long double>(power);
  const long double high = by * kLog2TenHigh, whole = std::rint(high);
  return {factor * std::exp2((high - whole) + by * kLog2TenLow), static_cast<int64_t>(whole)};
}

} // namespace

std::string formatScaled(const ScaledNumber &number, int count) {
  const auto mantissa = static_cast<long double>(std::abs(number.mantissa));
  const auto most = static_cast<uint64_t>(std::pow(10.0L, count));
  auto decimal = static_cast<int64_t>(std::floor(number.log10())) - 2; // log10 rounds
  uint64_t digits = most;
  while (digits >= most) {
    const BinaryNumber scaled = timesPowerOfTen(mantissa, count - 1 - ++decimal);
    digits = static_cast<uint64_t>(std::rint(
        std::ldexp(scaled.mantissa, static_cast<int>(scaled.exponent + number.exponent))));
  }
  std::string text = fmt::format("{}", digits);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.size() > 1)
    text.insert(1, ".");
  return fmt::format("{}{}e{}", number.sign() < 0 ? "-" : "", text, decimal);
}

std::string formatScaled(const ScaledNumber &number) {
  if (const std::optional<double> plain = number.value())
    return formatDouble(*plain);
  std::string text;
  for (int digits = kMostDigits - 2; digits <= kMostDigits; ++digits) {
    text = formatScaled(number, digits);
    const ScaledNumber read = parseScaled(text).value_or(ScaledNumber{});
    if (read.mantissa == number.mantissa && read.exponent == number.exponent)
      break;
  }
  return text;
}

std::optional<ScaledNumber> parseScaled(std::string_view text) {
  const std::optional<double> nearest = parseDouble(text);
  if (!nearest || text.find_first_of("0123456789") == std::string_view::npos)
    return std::nullopt;
  if (std::isnormal(*nearest))
    return ScaledNumber::fromValue(*nearest);
  const size_t exponentAt = std::min(text.find_first_of("eE"), text.size());
  int64_t decimal = 0;
  if (exponentAt + 1 < text.size()) {
    const char *begin = text.data() + exponentAt + 1, *const end = text.data() + text.size();
    const bool isNegative = *begin == '-';
    begin += *begin == '+' ? 1 : 0;
    if (std::from_chars(begin, end, decimal).ec == std::errc::result_out_of_range)
      decimal = isNegative ? -kMostDecimal : kMostDecimal;
  }
  uint64_t digits = 0;
  int64_t behindPoint = 0; // decimal places of `digits`, less the digits that do not fit
  bool isBehind = false;
  constexpr uint64_t kRoom = 1'000'000'000'000'000'000; // one digit more fits
  for (const char c : text.substr(0, exponentAt)) {
    isBehind |= c == '.';
    if (c < '0' || c > '9')
      continue;
    if (digits < kRoom)
      digits = digits * 10 + static_cast<uint64_t>(c - '0');
    else
      --behindPoint;
    behindPoint += isBehind ? 1 : 0;
  }
  if (digits == 0)
    return ScaledNumber{};
  const int64_t power = std::clamp(std::clamp(decimal, -kMostDecimal, kMostDecimal) - behindPoint,
                                   -2 * kMostDecimal, 2 * kMostDecimal);
  const BinaryNumber number = timesPowerOfTen(static_cast<long double>(digits), power);
  int shift = 0;
  const long double mantissa = std::frexp(number.mantissa, &shift);
  return ScaledNumber::fromValue(static_cast<double>(text.front() == '-' ? -mantissa : mantissa),
                                 number.exponent + shift);
}

} // namespace mpf
