// Combines and reduces single values, for the interpreter and brute force.
#pragma once

#include "dsl/support/semiring.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mpf {

/// The meaning of the entries of a table, in one value type.
class ValueRules {
public:
  ValueRules(Semiring semiring, ValueForm form) : semiring_(semiring), form_(form) {}

  double combine(double a, double b) const {
    const bool adds = form_ == ValueForm::Log || semiring_.combine == Combine::Plus;
    return adds ? a + b : a * b;
  }
  double identity() const {
    const double infinity = std::numeric_limits<double>::infinity();
    switch (semiring_.reduce) {
    case Reduce::Sum:
      return form_ == ValueForm::Log ? -infinity : 0.0;
    case Reduce::Max:
    case Reduce::LogSum:
      return -infinity;
    case Reduce::Min:
      return infinity;
    }
    return 0;
  }
  double reduce(double sum, double term) const {
    if (semiring_.reduce == Reduce::Max)
      return std::max(sum, term);
    if (semiring_.reduce == Reduce::Min)
      return std::min(sum, term);
    if (semiring_.reduce == Reduce::Sum && form_ == ValueForm::Linear)
      return sum + term;
    const double high = std::max(sum, term), low = std::min(sum, term);
    if (std::isinf(low) && low < 0)
      return high;
    return semiring_.reduce == Reduce::LogSum ? high + std::log1p(std::exp(low - high))
                                              : high + std::log2(1 + std::exp2(low - high));
  }

private:
  Semiring semiring_;
  ValueForm form_;
};

} // namespace mpf
