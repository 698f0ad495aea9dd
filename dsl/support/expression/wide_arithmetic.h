// The operations of expressions on numbers of any magnitude, for values that leave the normal
// doubles on the way, such as exp(-5000) * exp(4990).
#pragma once

#include "dsl/support/expression/expression.h"
#include "dsl/support/scaled_number.h"

#include <cstdint>

namespace mpf {

/// A number while an expression is evaluated. If it is 0, infinite, NaN or a normal double, it is
/// `value`, and `exponent` is 0. Any other number is value * 2^exponent, with a magnitude of
/// `value` in [1, 2). A *lost* number is beyond 2^kMostWideExponent (wide_table.h) or its inverse.
struct WideValue {
  static constexpr int64_t kTooLarge = INT64_MAX, kTooSmall = INT64_MIN;

  double value = 0;
  int64_t exponent = 0;

  /// Returns the number `value`, which may be subnormal.
  static WideValue of(double value);
  bool isLost() const { return exponent == kTooLarge || exponent == kTooSmall; }
  /// Whether `value` is the number.
  bool isPlain() const { return exponent == 0; }
  /// Returns the number; it must not be lost.
  ScaledNumber number() const { return ScaledNumber::fromValue(value, exponent); }
};

/// Compute as applyUnary and applyBinary. If all numbers are normal doubles, the results have the
/// same bits. Others are rounded once; a power and an exponential are within two units in the last
/// place. Results of lost numbers are lost.
WideValue applyWideUnary(OpCode code, const WideValue &a);
WideValue applyWideBinary(OpCode code, const WideValue &a, const WideValue &b);

} // namespace mpf
