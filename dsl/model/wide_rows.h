// Rows of tables whose numbers are of any magnitude.
#pragma once

#include "dsl/support/scaled_number.h"
#include "dsl/support/wide_table.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// Divides the numbers of a row by their sum. Returns the sum, as the nearest double or 1 where it
/// is positive and no double holds it. The row stays as it
/// was if the sum is 0, negative or not finite, or if no exponent holds a share. Then the result is
/// not a positive finite number.
double divideRow(std::span<ScaledNumber> row);

/// A table of which some rows, over its last variable, are divided by their sums.
class DividedTable {
public:
  /// `extent`: entries of a row.
  DividedTable(const StoredValues &values, uint64_t extent);

  /// False where divideRow does not divide the row.
  bool divide(uint64_t row);
  bool isDivided() const { return isDivided_; }
  /// The wide form.
  std::vector<double> stored() const { return widened(numbers_); }

private:
  std::vector<ScaledNumber> numbers_;
  uint64_t extent_;
  bool isDivided_ = false;
};

} // namespace mpf
