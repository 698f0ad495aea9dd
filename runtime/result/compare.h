// The tolerances within which the library itself regards two results as equal.
#pragma once

#include "dsl/support/semiring.h"

namespace mpf {

/// Returns the largest accepted error of one entry of an operation, relative to the sum of the
/// magnitudes of its terms. Rounding of up to 2^24 terms, summed one after the other, stays below.
double operationTolerance(ElementType type);

/// Returns whether |a - b| <= tolerance * max(1, |b|). Equal infinities are close; NaN never is.
/// Intended for logarithms.
bool closeLogs(double a, double b, double tolerance);

} // namespace mpf
