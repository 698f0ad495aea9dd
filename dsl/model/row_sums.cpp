#include "dsl/model/row_sums.h"

#include <cmath>

namespace mpf {

std::optional<RowFault> findRowFault(std::span<const double> values, uint64_t childExtent,
                                     uint64_t firstRow) {
  for (uint64_t row = firstRow; row * childExtent < values.size(); ++row) {
    RowFault fault;
    fault.row = row;
    for (uint64_t state = 0; state < childExtent; ++state) {
      const double value = values[row * childExtent + state];
      fault.sum += value;
      if (value < 0 && !fault.negative)
        fault.negative = state;
    }
    // Written so that a NaN or an infinite sum is a fault too.
    if (fault.negative || !(std::abs(fault.sum - 1) <= kRowSumTolerance))
      return fault;
  }
  return std::nullopt;
}

} // namespace mpf
