// The weight that a case gives to a state, as linear arithmetic holds it.
#pragma once

#include <cmath>
#include <limits>

namespace mpf {

/// `weight` in T. Only 0 becomes 0, which is an exact number of the case: a weight below the normal
/// numbers becomes one that is below them and other than 0, so that rescaling finds it and the case
/// leaves linear arithmetic (LinearPlan). Its upper 32 bits are not 0 either: kernels of a GPU look
/// at no more of a double. A weight above all numbers becomes the infinity, which leaves too.
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
