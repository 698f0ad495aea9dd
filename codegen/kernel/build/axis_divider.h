// Splits digits into axes, innermost part first. The axes are what defines a candidate; everything
// else in its plan is derived from them. The step of an axis follows from the order of the calls of
// take(), so every value of a digit is covered exactly once.
#pragma once

#include "codegen/kernel/plan/nest_plan.h"

#include <cstdint>
#include <vector>

namespace mpf {

class AxisDivider {
public:
  explicit AxisDivider(const DigitForm &form);

  /// The extent of the digit divided by the product of the extents taken already, rounded up.
  uint64_t left(DigitId digit) const;
  /// Takes `extent` values as one axis, from 1 to left(digit); extent 1 makes no axis. The axis is
  /// more significant than those taken before for the same role: the first thread axis taken is the
  /// one along which neighbouring lanes lie.
  void take(DigitId digit, AxisRole role, uint64_t extent, uint32_t unroll = 1);
  void takeRest(DigitId digit, AxisRole role) { take(digit, role, left(digit)); }

  /// All axes, grouped by role.
  std::vector<Axis> axes() const;

private:
  const DigitForm *form_;
  std::vector<uint64_t> covered_;           ///< per digit: values covered by the axes taken
  std::vector<std::vector<Axis>> roleAxes_; ///< per role, least significant first
};

/// Chooses the extent of an axis that takes a part of `left` values, at most `want`. The first that
/// applies:
///  - `left`, when it is at most `want`;
///  - the greatest divisor of `left` above half of `want`, preferably a multiple of `unit`;
///  - `want`, when the overhang of the last part is below 1/8 of `left`;
///  - equal parts, rounded up, to a multiple of `unit` where `want` allows.
/// The last two leave the digit guarded (nest_plan.h).
uint64_t partOf(uint64_t left, uint64_t want, uint64_t unit = 1);

} // namespace mpf
