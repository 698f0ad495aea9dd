#include "dsl/support/numbers/table_number.h"

#include "dsl/support/number_text.h"
#include "dsl/support/numbers/plain_decimal.h"
#include "dsl/support/numbers/scaled_text.h"
#include "dsl/support/wide_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string>

namespace mpf {

namespace {

/// Shorter texts are 0 or normal doubles: "9e308" is the shortest that may be another number.
constexpr size_t kFewestFarBytes = 5;

} // namespace

double nearestFinite(const ScaledNumber &number) {
  using Limits = std::numeric_limits<double>;
  const double nearest = number.nearest();
  if (number.mantissa == 0 || !std::isfinite(number.mantissa))
    return nearest;
  return std::copysign(std::clamp(std::abs(nearest), Limits::denorm_min(), Limits::max()),
                       number.mantissa);
}

TableNumber readTableNumber(std::string_view text) {
  using Kind = TableNumber::Kind;
  const char *const end = text.data() + text.size();
  if (double value = 0; !text.empty() && scanPlainDecimal(text.data(), end, value) == end)
      [[likely]]
    return {Kind::Plain, value};
  const std::optional<double> plain = parseDouble(text);
  if (!plain)
    return {};
  if (std::isnormal(*plain) || (*plain == 0 && text.size() < kFewestFarBytes)) [[likely]]
    return {Kind::Plain, *plain};
  const std::optional<ScaledNumber> number = parseScaled(text);
  if (!number) // "inf" or "nan"
    return {};
  if (number->mantissa == 0)
    return {Kind::Plain, *plain};
  if (const std::optional<double> held = number->value()) // after rounding
    return {Kind::Plain, *held};
  if (std::abs(number->exponent) > kMostWideExponent)
    return {Kind::Beyond, 0, *number};
  return {Kind::Far, nearestFinite(*number), *number};
}

std::string_view tableRangeText() {
  static const std::string text =
      fmt::format("the greatest magnitude is 2^{0}, the least 2^-{0}", kMostWideExponent);
  return text;
}

} // namespace mpf
