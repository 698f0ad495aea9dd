// Arithmetic on counts that may not fit 64 bits. The tables of a bad elimination order have up to
// 2^1000 entries; such a count must be reported and must not wrap around.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace mpf {

/// Saturating arithmetic, in which UINT64_MAX means "does not fit".
constexpr uint64_t saturatingMul(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}
constexpr uint64_t saturatingAdd(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/// Returns a / b, rounded up, for any `a`.
constexpr uint64_t ceilDivide(uint64_t a, uint64_t b) { return a / b + (a % b != 0); }

/// Returns ceil(log2(count)); 0 if `count` is 0.
constexpr int32_t ceilLog2(uint64_t count) {
  return count == 0 ? 0 : static_cast<int32_t>(std::bit_width(count - 1));
}

/// Returns log2(2^a + 2^b). The powers may be beyond the range of doubles; -infinity is the log of
/// 0.
inline double log2Sum(double a, double b) {
  const double high = std::max(a, b), low = std::min(a, b);
  return std::isinf(low) ? high : high + std::log2(1 + std::exp2(low - high));
}

} // namespace mpf
