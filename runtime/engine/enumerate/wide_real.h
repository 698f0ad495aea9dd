// Numbers of an enumeration: reals with a separate exponent, and whole numbers that are exact.
#pragma once

#include "dsl/support/integer_value.h"
#include "dsl/support/scaled_number.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace mpf {

/// The number mantissa * 2^exponent; |mantissa| is 0, infinite with exponent 0, or in [0.5, 1).
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
  static WideReal of(const ScaledNumber &number) { return of(number.mantissa, number.exponent); }
  /// Returns e^power.
  static WideReal exp(long double power) {
    const long double log2 = power * 1.442695040888963407359924681001892137L;
    if (!std::isfinite(log2))
      return of(std::exp2(log2));
    const long double whole = std::floor(log2);
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
    if (a.mantissa == 0 || std::isinf(b.mantissa))
      return b.mantissa == 0 ? a : std::isinf(a.mantissa) ? of(a.mantissa + b.mantissa) : b;
    if (b.mantissa == 0 || std::isinf(a.mantissa))
      return a;
    constexpr int64_t kVanishes = -200; // below the last bit of the other
    const int64_t exponent = std::max(a.exponent, b.exponent);
    const auto at = [&](const WideReal &number) {
      return std::ldexp(number.mantissa,
                        static_cast<int>(std::max(number.exponent - exponent, kVanishes)));
    };
    return of(at(a) + at(b), exponent);
  }
  friend bool operator<(const WideReal &a, const WideReal &b) {
    if (std::isinf(a.mantissa) || std::isinf(b.mantissa))
      return (std::isinf(a.mantissa) ? a.mantissa : 0) < (std::isinf(b.mantissa) ? b.mantissa : 0);
    return (a + WideReal{-b.mantissa, b.exponent}).mantissa < 0;
  }
};

/// A whole number below 2^128, or one that is too large.
struct WideCount {
  Uint128 value = 0;
  bool isTooLarge = false;

  /// Returns a number that is 0, 1, 2, ...
  static WideCount of(const ScaledNumber &number) {
    constexpr int kBits = 52; // behind the first of a mantissa
    const auto digits = static_cast<Uint128>(std::ldexp(number.mantissa, kBits));
    if (number.exponent >= 128)
      return {0, true};
    return {number.exponent < kBits ? digits >> (kBits - number.exponent)
                                    : digits << (number.exponent - kBits)};
  }

  friend WideCount operator*(const WideCount &a, const WideCount &b) {
    WideCount product;
    if (a == WideCount() || b == WideCount())
      return product;
    product.isTooLarge =
        !multiplyIntegers(a.value, b.value, product.value) || a.isTooLarge || b.isTooLarge;
    return product;
  }
  friend WideCount operator+(const WideCount &a, const WideCount &b) {
    WideCount sum;
    sum.isTooLarge = !addIntegers(a.value, b.value, sum.value) || a.isTooLarge || b.isTooLarge;
    return sum;
  }
  friend bool operator<(const WideCount &a, const WideCount &b) {
    return a.isTooLarge != b.isTooLarge ? b.isTooLarge : a.value < b.value;
  }
  bool operator==(const WideCount &) const = default;
};

} // namespace mpf
