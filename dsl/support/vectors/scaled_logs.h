// Natural logarithms of many numbers, by vectors.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mpf {

/// logs[i] = ln |values[i] * 2^exponents[i]|; -infinity for 0, NaN for NaN. Off by less than 0.75
/// units in the last place where a normal double holds the number. The same bits on every machine,
/// and for a number alone (lnOfScaled): no vector has an operation that is rounded once instead of
/// twice.
void lnOfScaled(const double *values, const int32_t *exponents, size_t count, double *logs);

} // namespace mpf
