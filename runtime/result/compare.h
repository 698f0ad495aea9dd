// The tolerances within which the library itself regards two results as equal.
#pragma once

#include "dsl/support/semiring.h"

namespace mpf {

/// Largest relative error of one operation's entry, in units of the sum of its terms' magnitudes:
/// rounding of up to 2^24 terms summed one after the other stays below it.
double operationTolerance(ElementType type);

/// |a - b| <= tolerance * max(1, |b|); equal infinities are close, NaN never is. For logarithms.
bool closeLogs(double a, double b, double tolerance);

} // namespace mpf
