// Exponents and powers of two by their bits: what ilogb and ldexp say, without a call, for every
// operation needs both.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace mpf {

/// floor(log2 |value|) of a finite value other than 0.
inline int32_t exponentOf(double value) {
  const auto biased = static_cast<int32_t>(std::bit_cast<uint64_t>(value) >> 52 & 0x7ff);
  return biased != 0 && biased != 0x7ff ? biased - 1023 : std::ilogb(value);
}
inline int32_t exponentOf(float value) { return exponentOf(static_cast<double>(value)); }

/// 2^exponent.
inline double powerOfTwo(int32_t exponent) {
  if (exponent < -1022 || exponent > 1023)
    return std::ldexp(1.0, exponent);
  return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}

/// value * 2^exponent, rounded as ldexp rounds it.
class ScaledBy {
public:
  explicit ScaledBy(int32_t exponent)
      : exponent_(exponent), isNormal_(exponent >= -1022 && exponent <= 1023),
        factor_(isNormal_ ? powerOfTwo(exponent) : 1) {}

  double operator()(double value) const {
    return isNormal_ ? value * factor_ : std::ldexp(value, exponent_);
  }

private:
  int32_t exponent_;
  bool isNormal_;
  double factor_;
};

} // namespace mpf
