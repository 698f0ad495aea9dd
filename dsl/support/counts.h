// Counts that may not fit 64 bits: table entries and operations of a bad elimination order reach
// 2^1000 and must be reported, never wrapped.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace mpf {

/// Saturating arithmetic: UINT64_MAX means "does not fit", and stays so.
constexpr uint64_t saturatingMul(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}
constexpr uint64_t saturatingAdd(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/// log2(2^a + 2^b), where neither power need fit a double; -infinity stands for nothing.
inline double log2Sum(double a, double b) {
  const double high = std::max(a, b), low = std::min(a, b);
  return std::isinf(low) ? high : high + std::log2(1 + std::exp2(low - high));
}

} // namespace mpf
