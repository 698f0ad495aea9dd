// Converts the weight of a state in a case to linear arithmetic.
#pragma once

#include <cmath>
#include <limits>

namespace mpf {

/// Returns `weight` in T. Only 0 becomes 0. A weight below the normal numbers becomes a denormal
/// number, so that rescaling finds it and the case leaves linear arithmetic (LinearPlan). The upper
/// 32 bits of this number are not 0, because kernels of a GPU read only these of a double. A weight
/// above all numbers becomes infinity, which leaves too.
template <class T> T laneWeight(double weight) {
  using Limits = std::numeric_limits<T>;
  const double magnitude = std::abs(weight);
  if (magnitude > static_cast<double>(Limits::max()))
    return std::copysign(Limits::infinity(), static_cast<T>(weight > 0 ? 1 : -1));
  if (magnitude != 0 && magnitude < static_cast<double>(Limits::min()))
    return std::copysign(Limits::min() / 2, static_cast<T>(weight > 0 ? 1 : -1));
  return static_cast<T>(weight);
}

} // namespace mpf
