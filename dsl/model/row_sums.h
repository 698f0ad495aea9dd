// The rule for tables of `prob`: every row over the child sums to 1, and no entry is negative.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace mpf {

/// How far a row's sum may be from 1. Tables that were printed with seven digits pass.
inline constexpr double kRowSumTolerance = 1e-6;

struct RowFault {
  uint64_t row = 0; ///< the row of entries row * childExtent and the following
  double sum = 0;
  std::optional<uint64_t> negative; ///< state of the child whose entry is below 0
};

/// The first row at or after `firstRow` that breaks the rule; none: all rows hold it. The child is
/// the last variable of the table, and `childExtent` divides the number of values.
std::optional<RowFault> findRowFault(std::span<const double> values, uint64_t childExtent,
                                     uint64_t firstRow = 0);

} // namespace mpf
