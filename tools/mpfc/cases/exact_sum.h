// Sums whose bits depend on neither the order nor the grouping of their terms.
#pragma once

#include "dsl/support/integer_value.h"

#include <cstddef>

namespace mpf::driver {

/// Each term is rounded to a multiple of 2^-62; the multiples are added as integers. The magnitude
/// of the sum must stay below 2^64.
class ExactSum {
public:
  /// Adds finite terms, below 2^63 in magnitude.
  void add(const double *terms, size_t count);
  void add(const ExactSum &other) { sum_ += other.sum_; }
  double value() const;

private:
  Uint128 sum_ = 0; ///< in units of 2^-62, two's complement
};

} // namespace mpf::driver
