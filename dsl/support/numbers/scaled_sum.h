// Sums and quotients of numbers of any magnitude.
#pragma once

#include "dsl/support/scaled_number.h"
#include "dsl/support/wide_table.h"

#include <cstdint>

namespace mpf {

/// Returns the sum of `count` values from number `first` on. If all numbers and partial sums are
/// normal doubles, it has the bits of their sum in doubles, in this order. A part below 2^-1022 of
/// the greatest magnitude may be lost.
ScaledNumber scaledSum(const StoredValues &values, uint64_t first, uint64_t count);

/// Returns a / b, rounded once. `b` is neither 0 nor infinite.
ScaledNumber scaledQuotient(const ScaledNumber &a, const ScaledNumber &b);

} // namespace mpf
