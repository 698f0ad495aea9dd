// The rule for rows of conditional tables, common to all formats: no entry is negative, and a row
// sums to 1. A sum within 1e-6 of 1 is rounding. A row within 0.01 of 1 is accepted unchanged, with
// one warning for a file. Any other row is an error, but only a warning in .uai files: published
// files use the kind BAYES even after evidence was multiplied in. `normalise` divides rows by their
// sums. dsl/model/judge_rows.h applies the rule to tables that are read,
// dsl/formats/cases/tables/table_check.h to those that cases set, and
// requireRows to those that sessions bind.
#pragma once

#include "dsl/support/scaled_number.h"
#include "dsl/support/wide_table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mpf {

/// The largest distance of a row's sum from 1. Tables printed with seven digits pass.
inline constexpr double kRowSumTolerance = 1e-6;
/// The largest distance from 1 for rows that are accepted unchanged. 0.99 passes.
inline constexpr double kMostRounding = 1e-2 + kRowSumTolerance;

struct RowFault {
  uint64_t row = 0; ///< number of the row; its first entry is row * childExtent
  ScaledNumber sum;
  std::optional<uint64_t> negative; ///< state of the child whose entry is below 0

  bool isWithin(double distance) const; ///< no entry is negative, and the sum is so near to 1
  bool isRounding() const { return isWithin(kMostRounding); } ///< the row is accepted unchanged
  bool isDivisible() const; ///< no entry is negative, and the sum is positive and finite
  std::string sumText() const { return rowSumText(sum); }
  static std::string rowSumText(const ScaledNumber &sum); ///< with 9 digits
};

/// Whether `a` is farther from 1 than `b`.
bool isFartherFromOne(const ScaledNumber &a, const ScaledNumber &b);

/// Returns the first row at or after `firstRow` that has an entry below 0, or whose sum is farther
/// than `tolerance` from 1; nothing if no row does. The child is the last variable of the table,
/// and `childExtent` divides the number of values.
std::optional<RowFault> findRowFault(const StoredValues &values, uint64_t childExtent,
                                     uint64_t firstRow = 0, double tolerance = kRowSumTolerance);

/// Whether `prob` accepts all rows, with or without a warning.
bool areRowsTaken(const StoredValues &values, uint64_t childExtent);

/// Throws Error(BadInput) with the factor and the row if not. `rowElems` 0: the table has no rows.
void requireRows(std::string_view factor, const StoredValues &values, uint64_t rowElems);

} // namespace mpf
