// The numbers of an enumeration.
#pragma once

#include "dsl/support/scaled_number.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace mpf {

/// The number mantissa * 2^exponent; |mantissa| is in [0.5, 1), or it is 0 or infinite with
/// exponent 0. Whole numbers below 2^64 are exact.
struct WideReal {
  long double mantissa = 0;
  int64_t exponent = 0;

  static WideReal of(long double mantissa, int64_t exponent = 0) {
    if (mantissa == 0 || !std::isfinite(mantissa))
      return {mantissa, 0};
    int shift = 0;
    mantissa = std::frexp(mantissa, &shift);
    return {mantissa, exponent + shift};
  }
  /// Returns e^power.
  static WideReal exp(long double power) {
    const long double log2 = power * 1.442695040888963407359924681001892137L;
    const long double whole = std::isfinite(log2) ? std::floor(log2) : 0;
    return of(std::exp2(log2 - whole), static_cast<int64_t>(whole));
  }
  ScaledNumber scaled() const {
    return ScaledNumber::fromValue(static_cast<double>(mantissa), exponent);
  }

  friend WideReal operator*(const WideReal &a, const WideReal &b) {
    return of(a.mantissa * b.mantissa, a.exponent + b.exponent);
  }
  friend WideReal operator/(const WideReal &a, const WideReal &b) {
    return of(a.mantissa / b.mantissa, a.exponent - b.exponent);
  }
  friend WideReal operator+(const WideReal &a, const WideReal &b) {
    if (a.mantissa == 0 || b.mantissa == 0)
      return a.mantissa == 0 ? b : a;
    constexpr int64_t kVanishes = -200; // below the last bit of the other
    const int64_t exponent = std::max(a.exponent, b.exponent);
    const auto at = [&](const WideReal &number) {
      return std::ldexp(number.mantissa,
                        static_cast<int>(std::max(number.exponent - exponent, kVanishes)));
    };
    return of(at(a) + at(b), exponent);
  }
  friend bool operator<(const WideReal &a, const WideReal &b) {
    return (a + WideReal{-b.mantissa, b.exponent}).mantissa < 0;
  }
};

} // namespace mpf
