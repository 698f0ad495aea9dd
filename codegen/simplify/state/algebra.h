// The arithmetic of one query on single entries, with what simplification must know about it.
// Whole tables: table_arithmetic.h.
#pragma once

#include "codegen/bundle/postsolve_map.h"
#include "codegen/simplify/state/entry_table.h"
#include "dsl/support/semiring.h"

namespace mpf {

/// Identities and scale of a semiring whose values are plain numbers (natural logs for logsum).
class Algebra {
public:
  explicit Algebra(Semiring semiring, bool whole = false) : semiring_(semiring), whole_(whole) {}

  /// Values are whole numbers and stay so: a result that a double might have rounded is refused.
  bool isInteger() const { return whole_; }

  Semiring semiring() const { return semiring_; }

  /// True when some value is absorbed by nothing and absorbs all: 0 of sum and max of products,
  /// -infinity of max and logsum of sums. The two min semirings have none: their neutral element
  /// +infinity is no legal value, and 0 is a value like any other.
  bool hasZero() const { return semiring_.reduce != Reduce::Min; }
  Entry zero() const;
  bool isZero(Entry entry) const { return hasZero() && entry == zero(); }

  /// The identity of combine reduced with itself `count` times: what a variable of so many states
  /// that is in no factor contributes.
  Entry repeatedOne(uint32_t count) const;

  /// True when a bundle may carry `scale` combined with `entry`, or `entry` is the zero. A factor
  /// that does not fit stays a factor.
  bool fitsScale(const AnswerScale &scale, Entry entry) const;
  /// scale = scale combined with entry, which fits: rounded once, whatever their magnitudes. False,
  /// and unchanged, if entry is the zero.
  bool multiplyScale(AnswerScale &scale, Entry entry) const;

private:
  Semiring semiring_;
  bool whole_;
};

} // namespace mpf
