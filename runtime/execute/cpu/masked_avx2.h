// MaskedVector with the masked moves of AVX2.
#pragma once

#include "runtime/execute/cpu/simd.h"

#include <immintrin.h>

namespace {

template <> struct MaskedVector<double, 32> {
  typedef double V __attribute__((vector_size(32)));
  /// Returns a mask with the sign bits of the first n lanes, which the moves read.
  static __m256i mask(size_t n) {
    const __m256i lanes = _mm256_set_epi64x(3, 2, 1, 0);
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(static_cast<int64_t>(n)), lanes);
  }
  static V load(const double *p, size_t n, V fill) {
    const __m256i m = mask(n);
    return _mm256_blendv_pd(fill, _mm256_maskload_pd(p, m), _mm256_castsi256_pd(m));
  }
  static void store(double *p, V v, size_t n) { _mm256_maskstore_pd(p, mask(n), v); }
  typedef int64_t I __attribute__((vector_size(32)));
  /// Returns a vector whose lane i is lane lanes[i] of `low` followed by `high`. It moves halves of
  /// lanes, because AVX2 has no such instruction for whole lanes.
  static V pick(V low, V high, I lanes) {
    const I twice = lanes * 2, halves = twice | (twice + 1) << 32, inHigh = lanes << 61;
    const auto move = [halves](V v) {
      return _mm256_castps_pd(
          _mm256_permutevar8x32_ps(_mm256_castpd_ps(v), reinterpret_cast<__m256i>(halves)));
    };
    return _mm256_blendv_pd(move(low), move(high), reinterpret_cast<V>(inHigh));
  }
};

template <> struct MaskedVector<float, 32> {
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
  typedef int32_t I __attribute__((vector_size(32)));
  static V pick(V low, V high, I lanes) {
    const I inHigh = lanes << 28;
    return _mm256_blendv_ps(_mm256_permutevar8x32_ps(low, reinterpret_cast<__m256i>(lanes)),
                            _mm256_permutevar8x32_ps(high, reinterpret_cast<__m256i>(lanes)),
                            reinterpret_cast<V>(inHigh));
  }
};

} // namespace
