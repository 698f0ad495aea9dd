#include "tests/oracle/edge/exact_number.h"

#include "dsl/support/check.h"

#include <bit>
#include <cmath>
#include <limits>

namespace mpf::oracle {

ExactNumber ExactNumber::fromDouble(double value) {
  MPF_CHECK(std::isfinite(value), "{} is no number", value);
  ExactNumber number;
  if (value == 0)
    return number;
  int exponent = 0;
  const auto whole = static_cast<int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  const int zeros = std::countr_zero(static_cast<uint64_t>(whole < 0 ? -whole : whole));
  // Short mantissas keep products of round values short.
  number.mantissa_ = whole / (int64_t{1} << zeros);
  number.exponent_ = int64_t{exponent} - 53 + zeros;
  return number;
}

ExactNumber ExactNumber::powerOfTwo(int64_t exponent) {
  ExactNumber number;
  number.mantissa_ = 1;
  number.exponent_ = exponent;
  return number;
}

ExactNumber ExactNumber::abs() const { return sign() < 0 ? -*this : *this; }

ExactNumber ExactNumber::shifted(int64_t bits) const {
  ExactNumber number = *this;
  if (!isZero())
    number.exponent_ += bits;
  return number;
}

int64_t ExactNumber::topExponent() const {
  MPF_CHECK(!isZero(), "0 has no exponent");
  return static_cast<int64_t>(msb(sign() < 0 ? Mantissa(-mantissa_) : mantissa_)) + exponent_;
}

ExactNumber::Scaled ExactNumber::scaled() const {
  if (isZero())
    return {};
  const int64_t top = topExponent(), bits = top - exponent_;
  const Mantissa magnitude = sign() < 0 ? Mantissa(-mantissa_) : mantissa_;
  const auto cut = bits > 63 ? static_cast<uint64_t>(magnitude >> static_cast<unsigned>(bits - 63))
                             : static_cast<uint64_t>(magnitude);
  const long double mantissa =
      std::ldexp(static_cast<long double>(cut), -static_cast<int>(std::min<int64_t>(bits, 63)));
  return {sign() < 0 ? -mantissa : mantissa, top};
}

long double ExactNumber::log2() const {
  const Scaled number = scaled();
  return isZero()
             ? -std::numeric_limits<long double>::infinity()
             : std::log2(std::abs(number.mantissa)) + static_cast<long double>(number.exponent);
}

std::string ExactNumber::text() const {
  if (isZero())
    return "0";
  const long double log10 = log2() * 0.301029995663981195213738894724493L;
  const long double whole = std::floor(log10);
  return fmt::format("{}{:.10g}e{}", sign() < 0 ? "-" : "",
                     static_cast<double>(std::pow(10.0L, log10 - whole)),
                     static_cast<int64_t>(whole));
}

ExactNumber ExactNumber::operator-() const {
  ExactNumber number = *this;
  number.mantissa_ = -number.mantissa_;
  return number;
}

ExactNumber &ExactNumber::operator+=(const ExactNumber &other) {
  if (other.isZero())
    return *this;
  if (isZero())
    return *this = other;
  if (other.exponent_ < exponent_) {
    mantissa_ <<= static_cast<unsigned>(exponent_ - other.exponent_);
    exponent_ = other.exponent_;
    mantissa_ += other.mantissa_;
  } else {
    mantissa_ += other.mantissa_ << static_cast<unsigned>(other.exponent_ - exponent_);
  }
  if (isZero())
    exponent_ = 0;
  return *this;
}

ExactNumber &ExactNumber::operator*=(const ExactNumber &other) {
  mantissa_ *= other.mantissa_;
  exponent_ = isZero() ? 0 : exponent_ + other.exponent_;
  return *this;
}

std::strong_ordering operator<=>(const ExactNumber &a, const ExactNumber &b) {
  if (a.sign() != b.sign() || a.isZero())
    return a.sign() <=> b.sign();
  if (const auto tops = a.topExponent() <=> b.topExponent(); tops != 0)
    return a.sign() > 0 ? tops : 0 <=> tops;
  return (a - b).sign() <=> 0;
}

bool isWithin(const ExactNumber &found, const ExactNumber &wanted, const ExactNumber &tolerance) {
  if (found.isZero() || wanted.isZero())
    return (found.isZero() ? wanted : found).abs() <= tolerance;
  const int64_t f = found.topExponent(), w = wanted.topExponent();
  constexpr int64_t kFar = 1 << 16; // no model here has a wanted entry with more bits
  if (std::abs(f - w) > kFar)
    return (f > w ? found : wanted).abs() <= tolerance;
  return (found - wanted).abs() <= tolerance;
}

} // namespace mpf::oracle
