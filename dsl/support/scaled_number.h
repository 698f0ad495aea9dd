// A real number with an exponent of its own: products of any number of doubles, subnormal ones and
// those near the greatest included, without overflow and without lost digits.
#pragma once

#include <cstdint>
#include <optional>

namespace mpf {

/// mantissa * 2^exponent, |mantissa| in [1, 2); or 0, or (costs, logs) infinite, with exponent 0.
struct ScaledNumber {
  double mantissa = 0;
  int64_t exponent = 0;

  /// 2^log2 with the sign of `sign`; 0 for -infinity.
  static ScaledNumber fromLog2(double log2, int64_t exponent = 0, int sign = 1);
  /// value * 2^exponent; `value` may be subnormal.
  static ScaledNumber fromValue(double value, int64_t exponent = 0);

  int sign() const { return mantissa > 0 ? 1 : mantissa < 0 ? -1 : 0; }
  /// Finite: |mantissa| in [1, 2), or 0.
  bool isNormalised() const;
  /// Logarithms of the magnitude: -infinity for 0.
  double ln() const;
  double log2() const;
  double log10() const;
  /// The plain number where a double holds it as a normal number (or 0 exactly).
  std::optional<double> value() const;

  /// Rounded once.
  friend ScaledNumber operator*(const ScaledNumber &a, const ScaledNumber &b);
};

} // namespace mpf
