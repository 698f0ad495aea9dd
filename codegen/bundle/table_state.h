// Scales and ranges of tables while a program runs, so that arithmetic loses no entry. The device
// preamble (codegen/emit/preamble) repeats these rules word for word; tests compare the two.
//
// A table in linear form holds value = entry * 2^scale; in log form value = 2^(entry + scale).
// The kernel that writes a table records the exponents of its entries; with them the range of
// every product in the next bucket is known before that bucket runs.
//
// The values of a table of whole numbers are its entries: scale and form are 0, the exponents are
// as above.
//
// The choice between linear and log arithmetic has several places. On the CPU the executor chooses
// before each operation (runtime/execute/cpu_executor.h). On a GPU each kernel chooses, from the
// recorded states, and the host chooses for a chain of operations. Choices that follow from the
// ranges of the inputs are made when the launches are planned
// (runtime/schedule/launches/range_bounds.h).
#pragma once

#include "dsl/support/integer_value.h"
#include "dsl/support/semiring.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>

namespace mpf {

struct TableState {
  int32_t scale = 0;
  /// At most the least floor(log2 |entry|) of entries other than 0: a kernel may record one less.
  int32_t minExponent = std::numeric_limits<int32_t>::max();
  int32_t maxExponent = std::numeric_limits<int32_t>::min(); ///< at least; min > max: all zero
  int32_t form = 0;                                          ///< 0 linear, 1 log

  bool allZero() const { return minExponent > maxExponent; }
  friend bool operator==(const TableState &, const TableState &) = default;
};

/// Least and greatest exponents of normal numbers.
struct ExponentRange {
  int32_t least = 0;
  int32_t greatest = 0;
};
constexpr ExponentRange exponentRange(ElementType type) {
  return type == ElementType::F32 ? ExponentRange{-126, 127} : ExponentRange{-1022, 1023};
}

/// The widest range of exponents with which a table returns to linear form. It is smaller than the
/// type's range, so that the next product still has room.
constexpr int32_t linearSpread(ElementType type) { return type == ElementType::F64 ? 900 : 100; }

/// Whether linear arithmetic cannot lose an entry of this operation. Then every operand is linear,
/// and every partial product stays normal in any order of multiplication. Sums of 2^termsLog2
/// products, and the rescaled result, do not overflow; termsLog2 = ceil(log2(terms)).
/// An operand that is all zero bounds nothing; the others are still checked, since an overflow to
/// infinity times zero would be NaN.
inline bool linearIsExact(std::span<const TableState> operands, int32_t termsLog2,
                          ElementType type) {
  const ExponentRange range = exponentRange(type);
  int64_t low = 0, high = termsLog2, spread = 0;
  for (const TableState &state : operands) {
    if (state.form != 0)
      return false;
    if (state.allZero())
      continue;
    // One more binade above for each operand: entry < 2^(maxExponent + 1).
    low += std::min<int64_t>(state.minExponent, 0);
    high += std::max<int64_t>(int64_t{state.maxExponent} + 1, 0);
    spread += int64_t{state.maxExponent} + 1 - state.minExponent;
  }
  return low >= range.least && high <= range.greatest && spread <= -int64_t{range.least};
}

/// Returns a bound of the bits of whole numbers, for every entry of this operation and every
/// partial result, in any order: every operand is below 2^(maxExponent + 1). With `plus`, values
/// are added and not multiplied.
inline int64_t integerBitsBound(std::span<const TableState> operands, bool plus,
                                int32_t termsLog2) {
  int64_t product = 0, greatest = 0;
  for (const TableState &state : operands) {
    const int64_t bits = state.allZero() ? 0 : int64_t{state.maxExponent} + 1;
    product += bits;
    greatest = std::max(greatest, bits);
  }
  const int64_t sum = greatest + std::bit_width(operands.size() - 1);
  return termsLog2 + (plus ? sum : product);
}
inline bool integersCannotOverflow(std::span<const TableState> operands, bool plus,
                                   int32_t termsLog2, ElementType type) {
  return integerBitsBound(operands, plus, termsLog2) <= integerBits(type);
}

/// The linear kernel multiplies each result by 2^-shift and records scale = sum of the operands'
/// scales + shift: the greatest result then lies near 1 whatever the operands were.
/// Only called when linearIsExact, which bounds the shift by the type's exponents.
inline int32_t linearShift(std::span<const TableState> operands) {
  int64_t shift = 0;
  for (const TableState &state : operands)
    shift += state.allZero() ? 0 : int64_t{state.maxExponent} + 1;
  return static_cast<int32_t>(std::clamp<int64_t>(shift, -1000, 1000));
}

} // namespace mpf
