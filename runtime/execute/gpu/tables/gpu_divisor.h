// Division by a number that the host knows, as a product (mpfDivide in mpf_operations.cuh).
// Dividends have 31 bits, so that the multiplier is a word. See Granlund and Montgomery, Division
// by Invariant Integers using Multiplication, PLDI 1994, section 4.
#pragma once

#include <bit>
#include <cstdint>

namespace mpf {

/// Dividends, and divisors, are less than this.
inline constexpr uint64_t kMostDivided = uint64_t{1} << 31;

/// The quotient is floor(a / d) = (a * multiplier >> 32) >> shift for every a < kMostDivided. All
/// zero: the quotient is 0.
struct GpuDivisor {
  uint32_t multiplier = 0, shift = 0;
};

/// Returns the constants of a divisor from 2 to kMostDivided - 1; zeros for others.
inline GpuDivisor divisorOf(uint64_t divisor) {
  if (divisor < 2 || divisor >= kMostDivided)
    return {};
  const auto bits = static_cast<uint32_t>(std::bit_width(divisor - 1)); // ceil(log2)
  const uint64_t multiplier = ((uint64_t{1} << (31 + bits)) + divisor - 1) / divisor;
  return {static_cast<uint32_t>(multiplier), bits - 1};
}

} // namespace mpf
