// Splits digits into axes, innermost part first: what a candidate *is*, before anything is derived
// from it. Steps follow from the order of the takes, so every split covers its digit exactly once.
#pragma once

#include "codegen/kernel/plan/nest_plan.h"

#include <cstdint>
#include <vector>

namespace mpf {

class DigitSplitter {
public:
  explicit DigitSplitter(const DigitForm &form);

  /// Values of the digit's rest, in units of what is taken already (rounded up).
  uint64_t left(DigitId digit) const;
  /// Takes `extent` values as one axis; extent 1 makes no axis. The axis is more significant than
  /// the ones taken before for the same role, so the first thread axis taken is the lanes' fastest.
  void take(DigitId digit, AxisRole role, uint64_t extent, uint32_t unroll = 1);
  void takeRest(DigitId digit, AxisRole role) { take(digit, role, left(digit)); }

  /// All axes, grouped by role.
  std::vector<Axis> axes() const;

private:
  const DigitForm *form_;
  std::vector<uint64_t> covered_;           ///< per digit: values covered by the axes taken
  std::vector<std::vector<Axis>> roleAxes_; ///< per role, least significant first
};

/// A part of at most `want` for an axis: all of `left` if it fits, else a divisor above half of
/// `want`, else `want` itself when the overhang of the last part is below 1/8, else equal parts
/// (rounded up). All but the first two leave the digit guarded. Of divisors those that are
/// multiples of `unit` come first, and equal parts are rounded up to such multiples where `want`
/// allows.
uint64_t partOf(uint64_t left, uint64_t want, uint64_t unit = 1);

} // namespace mpf
