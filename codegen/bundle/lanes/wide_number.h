// Numbers with a separate exponent. They neither overflow nor underflow, and every operation rounds
// once, like operations of doubles. They serve the tables that are computed once, and the few cases
// whose values leave the range of linear arithmetic.
#pragma once

#include <cmath>
#include <cstdint>

namespace mpf {

/// mantissa * 2^exponent with |mantissa| in [0.5, 1), or 0. ScaledNumber (dsl/support) is the form
/// of results; this one is for inner loops.
struct WideNumber {
  double mantissa = 0;
  int64_t exponent = 0;

  /// Returns value * 2^exponent. `value` may be subnormal.
  static WideNumber of(double value, int64_t exponent = 0) {
    int shift = 0;
    const double mantissa = std::frexp(value, &shift);
    return {mantissa, mantissa == 0 ? 0 : exponent + shift};
  }

  friend WideNumber operator*(const WideNumber &a, const WideNumber &b) {
    const double product = a.mantissa * b.mantissa; // 0 or at least 1/4
    if (product == 0)
      return {};
    return std::abs(product) < 0.5 ? WideNumber{product * 2, a.exponent + b.exponent - 1}
                                   : WideNumber{product, a.exponent + b.exponent};
  }

  friend WideNumber operator+(const WideNumber &a, const WideNumber &b) {
    if (a.mantissa == 0)
      return b;
    if (b.mantissa == 0)
      return a;
    if (a.exponent < b.exponent)
      return b + a;
    constexpr int64_t kDigits = 60; // below them nothing is left of b
    const int64_t distance = a.exponent - b.exponent;
    return distance > kDigits
               ? a
               : of(a.mantissa + std::ldexp(b.mantissa, -static_cast<int>(distance)), a.exponent);
  }

  /// Compares numbers, which must not be negative.
  friend bool operator<(const WideNumber &a, const WideNumber &b) {
    if (a.mantissa == 0 || b.mantissa == 0)
      return a.mantissa < b.mantissa;
    return a.exponent != b.exponent ? a.exponent < b.exponent : a.mantissa < b.mantissa;
  }
};

} // namespace mpf
