// Parts of vectors by AVX2's masked moves.
#pragma once

#include "runtime/execute/cpu/simd.h"

#include <immintrin.h>

namespace {

template <> struct Parts<double, 32> {
  typedef double V __attribute__((vector_size(32)));
  /// Sign bits of the first n lanes: what the moves look at.
  static __m256i mask(size_t n) {
    const __m256i lanes = _mm256_set_epi64x(3, 2, 1, 0);
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(static_cast<int64_t>(n)), lanes);
  }
  static V load(const double *p, size_t n, V fill) {
    const __m256i m = mask(n);
    return _mm256_blendv_pd(fill, _mm256_maskload_pd(p, m), _mm256_castsi256_pd(m));
  }
  static void store(double *p, V v, size_t n) { _mm256_maskstore_pd(p, mask(n), v); }
};

template <> struct Parts<float, 32> {
  typedef float V __attribute__((vector_size(32)));
  static __m256i mask(size_t n) {
    const __m256i lanes = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int32_t>(n)), lanes);
  }
  static V load(const float *p, size_t n, V fill) {
    const __m256i m = mask(n);
    return _mm256_blendv_ps(fill, _mm256_maskload_ps(p, m), _mm256_castsi256_ps(m));
  }
  static void store(float *p, V v, size_t n) { _mm256_maskstore_ps(p, mask(n), v); }
};

} // namespace
