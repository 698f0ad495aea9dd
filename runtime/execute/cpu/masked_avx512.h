// MaskedVector with the masks of AVX-512.
#pragma once

#include "runtime/execute/cpu/simd.h"

#include <immintrin.h>

namespace {

template <> struct MaskedVector<double, 64> {
  typedef double V __attribute__((vector_size(64)));
  static __mmask8 mask(size_t n) { return static_cast<__mmask8>((1U << n) - 1); }
  static V load(const double *p, size_t n, V fill) {
    return _mm512_mask_loadu_pd(fill, mask(n), p);
  }
  static void store(double *p, V v, size_t n) { _mm512_mask_storeu_pd(p, mask(n), v); }
  typedef int64_t I __attribute__((vector_size(64)));
  /// Returns a vector whose lane i is lane lanes[i] of `low` followed by `high`.
  static V pick(V low, V high, I lanes) {
    return _mm512_permutex2var_pd(low, reinterpret_cast<__m512i>(lanes), high);
  }
};

template <> struct MaskedVector<float, 64> {
  typedef float V __attribute__((vector_size(64)));
  static __mmask16 mask(size_t n) { return static_cast<__mmask16>((1U << n) - 1); }
  static V load(const float *p, size_t n, V fill) { return _mm512_mask_loadu_ps(fill, mask(n), p); }
  static void store(float *p, V v, size_t n) { _mm512_mask_storeu_ps(p, mask(n), v); }
  typedef int32_t I __attribute__((vector_size(64)));
  static V pick(V low, V high, I lanes) {
    return _mm512_permutex2var_ps(low, reinterpret_cast<__m512i>(lanes), high);
  }
};

} // namespace
