// Exponents and powers of two by their bits. They equal ilogb and ldexp without a call, because
// every operation needs both.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace mpf {

/// Returns floor(log2 |value|) of a finite value other than 0.
inline int32_t exponentOf(double value) {
  const auto biased = static_cast<int32_t>(std::bit_cast<uint64_t>(value) >> 52 & 0x7ff);
  return biased != 0 && biased != 0x7ff ? biased - 1023 : std::ilogb(value);
}
inline int32_t exponentOf(float value) { return exponentOf(static_cast<double>(value)); }

/// Returns 2^exponent.
inline double powerOfTwo(int32_t exponent) {
  if (exponent < -1022 || exponent > 1023)
    return std::ldexp(1.0, exponent);
  return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}

/// Returns value * 2^exponent, rounded as ldexp rounds. It is one product if the power is a normal
/// number of T, float or double.
template <class T> class ScaledBy {
public:
  explicit ScaledBy(int64_t exponent)
      : exponent_(static_cast<int>(exponent)),
        isNormal_(exponent > std::numeric_limits<T>::min_exponent - 1 &&
                  exponent < std::numeric_limits<T>::max_exponent),
        factor_(isNormal_ ? static_cast<T>(powerOfTwo(exponent_)) : T{1}) {}

  T operator()(T value) const { return isNormal_ ? value * factor_ : std::ldexp(value, exponent_); }

private:
  int exponent_;
  bool isNormal_;
  T factor_;
};

} // namespace mpf
