// Divides rows of a table by their sums, whatever the magnitude of their numbers.
#pragma once

#include "dsl/support/wide_table.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// A table of which some rows, over its last variable, are divided by their sums. It copies the
/// numbers at the first division. They become wide (StoredValues) when no normal double holds a
/// quotient. Not thread-safe; the given numbers must outlive it.
class DividedTable {
public:
  /// `stored` holds `elems` values as StoredValues reads them; a row has `extent` of them.
  DividedTable(std::span<const double> stored, uint64_t elems, uint64_t extent)
      : given_(stored), elems_(elems), extent_(extent) {}

  /// Divides a row, whose sum is positive and finite. Returns false, and leaves the row as it was,
  /// if a quotient is below all that tables hold (kMostWideExponent).
  bool divide(uint64_t row);
  bool isDivided() const { return !stored_.empty(); }
  /// Returns the numbers as StoredValues reads them, wide only if doubles do not hold all of them.
  /// Call it once, if isDivided().
  std::vector<double> take();

private:
  bool isWide() const { return stored_.size() != elems_; }
  bool divideDoubles(std::span<double> row) const;

  std::span<const double> given_;
  std::vector<double> stored_; ///< empty: no row was divided
  uint64_t elems_, extent_;
};

} // namespace mpf
