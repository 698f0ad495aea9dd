// Runs one prepared operation on tables of whole numbers (u64, u128). Every entry is exact, or
// *lost*: known not to fit the type.
//
// The loops check nothing if the operands' ranges prove that nothing overflows
// (integersCannotOverflow); otherwise they check every product and sum. A product that overflows is
// lost only if no factor is zero; a minimum is lost only if all its terms are.
#pragma once

#include "dsl/support/integer_value.h"
#include "runtime/execute/cpu/cpu_operation.h"

#include <algorithm>
#include <array>

namespace mpf {

template <class T> struct IntegerArgs {
  const CpuOperation *op = nullptr;
  std::array<const T *, kMaxBundleOperands> entries{};
  T *result = nullptr;
  bool proven = false; ///< ranges prove that nothing overflows
};

/// The range of the entries written in one part.
template <class T> struct IntegerRange {
  T least = static_cast<T>(-1); ///< least of the entries that are not zero
  T greatest = 0;
  bool lost = false; ///< an entry does not fit T

  void add(T entry) {
    greatest = std::max(greatest, entry);
    least = entry == 0 ? least : std::min(least, entry);
  }
  void merge(const IntegerRange &other) {
    greatest = std::max(greatest, other.greatest);
    least = std::min(least, other.least);
    lost |= other.lost;
  }
};

/// Computes entries [begin, end) of the result, numbered in the operation's order, and widens
/// `range`. Different threads may compute different parts.
template <class T>
void runIntegers(const IntegerArgs<T> &args, uint64_t begin, uint64_t end, IntegerRange<T> &range);

} // namespace mpf
