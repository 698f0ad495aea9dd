// Natural logarithms of many numbers, in vectors.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mpf {

/// Sets logs[i] to ln |values[i] * 2^exponents[i]|; -infinity for 0, NaN for NaN. The error is less
/// than 0.75 units in the last place if a normal double holds the number. The bits are equal on
/// every machine, and equal to those for one number (lnOfScaled): no vector uses a fused operation,
/// which rounds once instead of twice.
void lnOfScaled(const double *values, const int32_t *exponents, size_t count, double *logs);

} // namespace mpf
