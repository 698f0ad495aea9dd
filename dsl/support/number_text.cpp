#include "dsl/support/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace mpf {

namespace {

/// Returns the decimal exponent of the first digit that is not zero: 2 for "123", -3 for "0.00123".
/// It saturates far beyond the range of double. `text` must be a number that from_chars accepted.
int64_t firstDigitExponent(std::string_view text) {
  const auto exponentAt = text.find_first_of("eE");
  int64_t exponent = 0;
  if (exponentAt != std::string_view::npos) {
    const bool negative = text[exponentAt + 1] == '-';
    const size_t digitsAt = exponentAt + 1 + (negative || text[exponentAt + 1] == '+');
    constexpr int64_t kHuge = int64_t{1} << 40; // more than the number of digits in any text
    const auto [end, status] =
        std::from_chars(text.data() + digitsAt, text.data() + text.size(), exponent);
    if (status == std::errc::result_out_of_range || exponent > kHuge)
      exponent = kHuge;
    if (negative)
      exponent = -exponent;
  }
  const std::string_view mantissa = text.substr(0, exponentAt);
  const auto point = std::min(mantissa.find('.'), mantissa.size());
  const auto digit = mantissa.find_first_of("123456789");
  const auto before = static_cast<int64_t>(point) - static_cast<int64_t>(digit);
  return exponent + (digit < point ? before - 1 : before);
}

} // namespace

std::string formatDouble(double value) {
  if (std::isnan(value))
    return "nan";
  return fmt::format("{}", value);
}

std::optional<double> parseDouble(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-"))
    text.remove_prefix(1);
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || end != text.data() + text.size())
    return std::nullopt;
  if (status == std::errc::result_out_of_range) {
    // from_chars leaves the value unchanged. The place of the first digit decides between 0 and
    // infinity.
    const double magnitude = firstDigitExponent(text) < 0 ? 0.0 : HUGE_VAL;
    return text.front() == '-' ? -magnitude : magnitude;
  }
  if (status != std::errc())
    return std::nullopt;
  return value;
}

namespace {

template <class Number> std::optional<Number> parseWhole(std::string_view text) {
  Number value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || status != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

} // namespace

std::optional<uint64_t> parseUnsigned(std::string_view text) { return parseWhole<uint64_t>(text); }

std::optional<int64_t> parseInteger(std::string_view text) { return parseWhole<int64_t>(text); }

std::string formatBytes(uint64_t bytes) {
  static constexpr std::array<const char *, 7> kUnits = {"B",   "KiB", "MiB", "GiB",
                                                         "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit)
    value /= 1024;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.4g} {}", value, kUnits[unit]);
}

std::string formatBytesExactly(uint64_t bytes) {
  return bytes < 1024 ? fmt::format("{} bytes", bytes)
                      : fmt::format("{} ({} bytes)", formatBytes(bytes), bytes);
}

std::optional<uint64_t> parseBytes(std::string_view text) {
  struct Unit {
    std::string_view name;
    double factor;
  };
  static constexpr std::array<Unit, 14> kUnits = {{{"", 1},
                                                   {"B", 1},
                                                   {"K", 1024.0},
                                                   {"M", 1048576.0},
                                                   {"G", 1073741824.0},
                                                   {"T", 1099511627776.0},
                                                   {"KiB", 1024.0},
                                                   {"MiB", 1048576.0},
                                                   {"GiB", 1073741824.0},
                                                   {"TiB", 1099511627776.0},
                                                   {"KB", 1e3},
                                                   {"MB", 1e6},
                                                   {"GB", 1e9},
                                                   {"TB", 1e12}}};
  const auto digits = text.find_first_not_of("0123456789.");
  const auto number = parseDouble(text.substr(0, digits));
  const auto unit = digits == std::string_view::npos ? std::string_view() : text.substr(digits);
  if (!number || !std::isfinite(*number))
    return std::nullopt;
  for (const Unit &candidate : kUnits)
    if (candidate.name == unit) {
      const double bytes = *number * candidate.factor;
      if (bytes < 0x1p63)
        return static_cast<uint64_t>(bytes);
    }
  return std::nullopt;
}

} // namespace mpf
