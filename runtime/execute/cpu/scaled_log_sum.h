// Chooses the exponents that are split off the operands of one log-domain sum on the CPU:
// dsl/support/scaled_mantissa.h applied to *groups* of operands. The logarithms of a group are
// added first, so a group counts as one operand there. In the tile path a panel is a group; in the
// row path a whole term is.
#pragma once

#include "codegen/bundle/table_state.h"
#include "dsl/support/scaled_mantissa.h"

#include <array>

namespace mpf {

inline constexpr size_t kMaxSplitGroups = 3;

struct ScaledLogSum {
  /// False if hardly any result would reach the guard, or the type cannot hold the exponents. Then
  /// the running maximum is used from the start.
  bool worthwhile = false;
  std::array<int32_t, kMaxSplitGroups> exponents{}; ///< mantissa = 2^(sum of logs - exponent)
  int64_t offset = 0;  ///< log of a result = log2(sum of mantissas) + offset, for all groups
  bool proven = false; ///< no product is below the normal numbers, so the guard is 0
  int32_t guardLog2 = 0;
};

/// Chooses the exponents of `groups` groups. `group(i)` is the group of operand i; each group has
/// at least one operand. Operands may have either form, and none is all zero.
template <class Group>
ScaledLogSum splitSum(std::span<const TableState> operands, size_t groups, const Group &group,
                      int32_t termsLog2, ElementType type) {
  const MantissaRule rule = mantissaRule(type, groups, termsLog2);
  std::array<int64_t, kMaxSplitGroups> top{}, least{};
  int64_t spread = 0;
  for (size_t i = 0; i < operands.size(); ++i) {
    top[group(i)] += int64_t{operands[i].maxExponent} + 1;
    least[group(i)] += operands[i].minExponent;
    spread += int64_t{operands[i].maxExponent} + 1 - operands[i].minExponent;
  }
  const int32_t lift = spread <= -int64_t{exponentRange(type).least} ? 0 : rule.lift;
  ScaledLogSum split;
  split.guardLog2 = rule.guardLog2;
  split.worthwhile = true;
  int64_t low = 0;
  for (size_t g = 0; g < groups; ++g) {
    const int64_t exponent = top[g] - lift;
    split.worthwhile &= std::abs(exponent) < kMantissaExponentLimit / 4;
    split.exponents[g] = static_cast<int32_t>(exponent);
    split.offset += exponent;
    low += std::min<int64_t>(least[g] - exponent, 0);
  }
  split.proven = low >= exponentRange(type).least;
  const int64_t reach = static_cast<int64_t>(groups) * rule.lift - rule.guardLog2;
  split.worthwhile &= split.proven || spread <= 2 * reach;
  return split;
}

} // namespace mpf
