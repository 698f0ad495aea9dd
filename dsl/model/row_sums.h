// The rule of `prob`: every row over the child sums to 1, no entry is negative.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace mpf {

/// How far a row's sum may be from 1: tables printed with seven digits pass, typing errors do not.
inline constexpr double kRowSumTolerance = 1e-6;

struct RowFault {
  uint64_t row = 0; ///< row number: entries row * childExtent ...
  double sum = 0;
  std::optional<uint64_t> negative; ///< state of the child whose entry is below 0
};

/// The first bad row at or after `firstRow`; `childExtent` divides the number of values.
std::optional<RowFault> findRowFault(std::span<const double> values, uint64_t childExtent,
                                     uint64_t firstRow = 0);

} // namespace mpf
