// A real number with a separate 64-bit exponent. Products of any number of doubles, even subnormal
// ones, neither overflow nor lose digits to underflow.
#pragma once

#include <cstdint>
#include <optional>

namespace mpf {

/// The number mantissa * 2^exponent with |mantissa| in [1, 2). Zero has exponent 0, and so has an
/// infinite value of costs and logs.
struct ScaledNumber {
  double mantissa = 0;
  int64_t exponent = 0;

  /// Returns 2^(log2 + exponent) with the sign of `sign`; 0 if `log2` is -infinity.
  static ScaledNumber fromLog2(double log2, int64_t exponent = 0, int sign = 1);
  /// Returns value * 2^exponent; `value` may be subnormal.
  static ScaledNumber fromValue(double value, int64_t exponent = 0);

  int sign() const { return mantissa > 0 ? 1 : mantissa < 0 ? -1 : 0; }
  /// Whether it is 0, or finite with |mantissa| in [1, 2).
  bool isNormalised() const;
  /// Return logarithms of the magnitude; -infinity for 0.
  double ln() const;
  double log2() const;
  double log10() const;
  /// Returns the number as a double; nothing unless it is 0, infinite, or in the range of normal
  /// doubles.
  std::optional<double> value() const;
  /// Returns the nearest double: subnormal, 0 or infinite for numbers out of the normal range.
  double nearest() const;

  /// Returns the product, rounded once.
  friend ScaledNumber operator*(const ScaledNumber &a, const ScaledNumber &b);
};

/// Returns the bits of ScaledNumber::fromValue(value, exponent).ln(). Takes only one logarithm if a
/// normal double holds the number.
double lnOfScaled(double value, int32_t exponent);

} // namespace mpf
