// Provides the arithmetic of one query on single entries, with its zero and its scale. The
// arithmetic of whole tables is in table_arithmetic.h.
#pragma once

#include "codegen/bundle/postsolve_map.h"
#include "codegen/simplify/state/entry_table.h"
#include "dsl/support/semiring.h"

namespace mpf {

/// A semiring whose values are plain numbers (natural logs for logsum). Immutable.
class Algebra {
public:
  /// `integer`: the values are whole numbers (u64, u128).
  explicit Algebra(Semiring semiring, bool integer = false)
      : semiring_(semiring), isInteger_(integer) {}

  /// Whether values are whole numbers: then a result that a double might have rounded is refused.
  bool isInteger() const { return isInteger_; }

  Semiring semiring() const { return semiring_; }

  /// True when the semiring has a zero among its legal values: neutral when it reduces, absorbing
  /// when it combines. It is 0 for sum and max of products, -infinity for max and logsum of sums.
  /// The two min semirings have none: their neutral element +infinity is no legal value, and 0 is a
  /// value like any other.
  bool hasZero() const { return semiring_.reduce != Reduce::Min; }
  /// The zero; the semiring must have one.
  Entry zero() const { return Entry(semiring_.combine == Combine::Times ? 0 : -kInfinity); }
  bool isZero(Entry entry) const { return hasZero() && entry == zero(); }

  /// Returns the identity of combine, reduced over `count` terms: the reduction over a variable of
  /// `count` states that is in no factor.
  Entry repeatedOne(uint32_t count) const;

  /// Whether `scale` combined with `entry` is within the bounds of an AnswerScale (for whole
  /// numbers: surely exact), or `entry` is the zero. A factor that does not fit stays a factor.
  bool fitsScale(const AnswerScale &scale, Entry entry) const;
  /// Combines `scale` with `entry`, rounding once, at any magnitude. The entry must fit (else
  /// Error(Internal)). Returns false, and changes nothing, if the entry is the zero.
  bool multiplyScale(AnswerScale &scale, Entry entry) const;

private:
  Semiring semiring_;
  bool isInteger_;
};

} // namespace mpf
