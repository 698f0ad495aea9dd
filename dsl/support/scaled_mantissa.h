// SCALED MANTISSAS: sums of products of tables in log form, computed in linear arithmetic without
// losing an entry. GPU kernels (codegen/emit) and the CPU executor follow this rule.
//
// Operand i holds base-2 logarithms below top_i = greatest exponent + 1. Its entries become
// mantissas 2^(entry - top_i + lift), once, when they are loaded or packed. Products and sums of
// mantissas are plain multiply-adds; a result is log2(sum) + sum of (top_i - lift). Let N =
// 2^termsLog2 be at least the terms of a sum, m the operands, and E and -L the type's greatest and
// least exponent.
// - Nothing overflows: mantissas are at most 2^lift, and m * lift + termsLog2 < E.
// - Losses are bounded: a mantissa or partial product below 2^-L counts as 0. The remaining factors
//   are at most 2^lift each, so a term loses less than 2m * 2^(-L + (m - 1) lift), and a sum less
//   than N times that. Let guardLog2 be such that 2^guardLog2 is 2^mantissaBits times this bound. A
//   sum of at least 2^guardLog2 is then right to mantissaBits binary digits.
//
// A smaller sum is formed again, term by term, as log-sum-exp with a running maximum. If the least
// exponents of the tables prove that no product falls below 2^-L, there is no guard, and a sum of 0
// means that all its terms are 0.
//
// Mantissas are at most 2^lift rather than 1 because that gives more room. With f32, two operands
// and 64 terms, a result may lie 158 binary orders below the product of the tables' maxima before
// it is formed again (f64: 1478). The cost is precision: a logarithm near the lift has fewer digits
// after the point than one near 0 (f32: errors of 1e-6). So the lift is 0 if no product falls below
// 2^-L without it.
#pragma once

#include "dsl/support/semiring.h"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace mpf {

struct MantissaRule {
  int32_t lift = 0;      ///< binary orders above 1 at which the greatest mantissa may lie
  int32_t guardLog2 = 0; ///< a sum of at least 2^guardLog2 is accurate
};

/// Returns the accurate binary digits of a sum: relative errors of 1e-6 (f32) and 6e-14 (f64).
constexpr int32_t mantissaBits(ElementType type) { return type == ElementType::F32 ? 20 : 44; }

/// With greater exponents a float may not hold their sum as an integer, so they are not split off.
inline constexpr int32_t kMantissaExponentLimit = 1 << 22;

/// Returns the rule for `operands` >= 1 tables; `termsLog2` = ceil(log2(terms of one sum)), at most
/// 64.
constexpr MantissaRule mantissaRule(ElementType type, size_t operands, int32_t termsLog2) {
  const int32_t greatest = type == ElementType::F32 ? 127 : 1023;
  const auto count = static_cast<int32_t>(operands);
  MantissaRule rule;
  rule.lift = (greatest - 1 - termsLog2) / count;
  rule.guardLog2 = 1 - greatest + mantissaBits(type) + termsLog2 + (count - 1) * rule.lift +
                   static_cast<int32_t>(std::bit_width(2 * operands - 1));
  return rule;
}

} // namespace mpf
