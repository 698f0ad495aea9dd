// Counts that may not fit 64 bits: table entries and operations of a bad elimination order reach
// 2^1000 and must be reported, never wrapped.
#pragma once

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

} // namespace mpf
