// When two results count as equal: every tolerance of mpf stands here.
#pragma once

#include "dsl/support/semiring.h"

namespace mpf {

/// Largest relative error of a whole result against an independent answer: 1e-9 (f64: what
/// published answers are computed to), 1e-4 (f32).
double resultTolerance(ElementType type);

/// Largest relative error of one operation's entry, in units of the sum of its terms' magnitudes:
/// rounding of up to 2^24 terms summed one after the other stays below it.
double operationTolerance(ElementType type);

/// |a - b| <= tolerance * max(1, |b|); equal infinities are close, NaN never is. For logarithms.
bool closeLogs(double a, double b, double tolerance);

} // namespace mpf
