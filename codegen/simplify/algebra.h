// The arithmetic of one query on single values, with what simplification must know about it.
#pragma once

#include "codegen/bundle/answer_map.h"
#include "dsl/support/semiring.h"

namespace mpf {

/// combine and reduce of a semiring, on plain doubles (natural logs for logsum).
class Algebra {
public:
  explicit Algebra(Semiring semiring, bool whole = false) : semiring_(semiring), whole_(whole) {}

  /// Values are whole numbers and stay so: a result that a double might have rounded is refused.
  bool isWhole() const { return whole_; }

  Semiring semiring() const { return semiring_; }
  double one() const { return combineIdentity(semiring_.combine); }
  double combine(double a, double b) const {
    return semiring_.combine == Combine::Times ? a * b : a + b;
  }
  double reduce(double a, double b) const;

  /// True when some value is absorbed by nothing and absorbs all: 0 of sum and max of products,
  /// -infinity of max and logsum of sums. The two min semirings have none: their neutral element
  /// +infinity is no legal value, and 0 is a value like any other.
  bool hasZero() const { return semiring_.reduce != Reduce::Min; }
  double zero() const;
  bool isZero(double value) const { return hasZero() && value == zero(); }

  /// `value` reduced with itself `count` times.
  double repeated(double value, double count) const;

  /// True when combine(a, b) = result lost nothing: no underflow, no overflow; of whole numbers
  /// nothing at all.
  bool exactProduct(double a, double b, double result) const;
  /// True when a reduced value may stand in a table.
  bool exactSum(double result) const;

  /// True when a bundle may carry `scale` combined with `value`, or `value` is the zero. A factor
  /// that does not fit stays a factor.
  bool fitsScale(const AnswerScale &scale, double value) const;
  /// scale = scale combined with value, which fits. False, and unchanged, if value is the zero.
  bool multiplyScale(AnswerScale &scale, double value) const;

private:
  Semiring semiring_;
  bool whole_;
};

} // namespace mpf
