// EXPONENTS SPLIT OFF: sums of products of log-domain tables in linear arithmetic, without losing
// an entry. GPU kernels (codegen/emit) and the CPU executor follow this one rule.
//
// Operand i holds base-2 logarithms below top_i = greatest exponent + 1. Its entries become
// mantissas 2^(entry - top_i + lift), once, when they are loaded or packed; products and sums of
// mantissas are plain multiply-adds; a result is log2(sum) + sum of (top_i - lift). With
//   N = 2^termsLog2 >= terms of a sum, m operands, E and -L the type's greatest and least exponent:
// - Nothing overflows: mantissas are at most 2^lift, and m * lift + termsLog2 < E.
// - What is lost: a mantissa or partial product below 2^-L counts as 0. The factors that are still
//   to come are at most 2^lift each, so a term loses less than 2m * 2^(-L + (m - 1) lift), a sum
//   less than N times that. A sum of at least 2^guardLog2, 2^kSplitBits times that bound, is
//   right to kSplitBits binary digits.
// A sum below the guard is formed again, term by term, as log-sum-exp with a running maximum. Where
// the tables' least exponents prove that no product falls below 2^-L, there is no guard, and a sum
// of 0 is exactly that: all its terms are.
//
// Centring at 2^lift rather than at 1 gives most room: with f32, two operands and 64 terms a result
// may lie 158 binary orders below the product of the tables' maxima before it is formed again (f64:
// 1478). It costs the digits that logarithms near 0 have more than those near the lift (f32: errors
// of 1e-6), so where no product falls below 2^-L without it, the lift is 0.
#pragma once

#include "dsl/support/semiring.h"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace mpf {

struct SplitRule {
  int32_t lift = 0;      ///< binary orders above 1 at which the greatest mantissa may lie
  int32_t guardLog2 = 0; ///< sums of at least 2^guardLog2 are right
};

/// Binary digits kept: relative errors of 1e-6 and 6e-14.
constexpr int32_t splitBits(ElementType type) { return type == ElementType::F32 ? 20 : 44; }

/// Beyond this a float no longer holds sums of exponents as integers: no splitting.
inline constexpr int32_t kSplitExponentLimit = 1 << 22;

/// `operands` >= 1; `termsLog2` = ceil(log2(terms of one sum)), at most 64.
constexpr SplitRule splitRule(ElementType type, size_t operands, int32_t termsLog2) {
  const int32_t greatest = type == ElementType::F32 ? 127 : 1023;
  const auto count = static_cast<int32_t>(operands);
  SplitRule rule;
  rule.lift = (greatest - 1 - termsLog2) / count;
  rule.guardLog2 = 1 - greatest + splitBits(type) + termsLog2 + (count - 1) * rule.lift +
                   static_cast<int32_t>(std::bit_width(2 * operands - 1));
  return rule;
}

} // namespace mpf
