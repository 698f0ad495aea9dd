#include "dsl/support/scaled_number.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

constexpr double kLn2 = 0.693147180559945309417;
constexpr double kLog10Of2 = 0.301029995663981195214;

} // namespace

ScaledNumber ScaledNumber::fromLog2(double log2, int64_t exponent, int sign) {
  if (std::isinf(log2) && log2 < 0)
    return {};
  const double whole = std::floor(log2);
  ScaledNumber number{std::exp2(log2 - whole), exponent + static_cast<int64_t>(whole)};
  number.mantissa = sign < 0 ? -number.mantissa : number.mantissa;
  return number;
}

ScaledNumber ScaledNumber::fromValue(double value, int64_t exponent) {
  if (value == 0 || !std::isfinite(value))
    return {value, 0};
  const int shift = std::ilogb(value);
  return {std::ldexp(value, -shift), exponent + shift};
}

bool ScaledNumber::isNormalised() const {
  return mantissa == 0 || (std::abs(mantissa) >= 1 && std::abs(mantissa) < 2);
}

// Near 1 the parts of mantissa and exponent would cancel, so the plain number is used if there is
// one.
double ScaledNumber::ln() const {
  const std::optional<double> plain = value();
  return plain ? (std::isnormal(*plain) ? lnOfScaled(*plain, 0) : std::log(std::abs(*plain)))
               : std::log(std::abs(mantissa)) + static_cast<double>(exponent) * kLn2;
}
double ScaledNumber::log2() const {
  const std::optional<double> plain = value();
  return plain ? std::log2(std::abs(*plain))
               : std::log2(std::abs(mantissa)) + static_cast<double>(exponent);
}
double ScaledNumber::log10() const {
  const std::optional<double> plain = value();
  return plain ? std::log10(std::abs(*plain))
               : std::log10(std::abs(mantissa)) + static_cast<double>(exponent) * kLog10Of2;
}

std::optional<double> ScaledNumber::value() const {
  if (mantissa == 0 || std::isinf(mantissa))
    return mantissa + 0.0; // no -0
  if (exponent < -1022 || exponent > 1023)
    return std::nullopt;
  return std::ldexp(mantissa, static_cast<int>(exponent));
}

double ScaledNumber::nearest() const {
  constexpr int64_t kBeyond = 5000; // the exponent of any double
  return std::ldexp(mantissa, static_cast<int>(std::clamp(exponent, -kBeyond, kBeyond)));
}

ScaledNumber operator*(const ScaledNumber &a, const ScaledNumber &b) {
  return ScaledNumber::fromValue(a.mantissa * b.mantissa, a.exponent + b.exponent);
}

} // namespace mpf
