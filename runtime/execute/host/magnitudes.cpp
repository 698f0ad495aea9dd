#include "runtime/execute/host/magnitudes.h"

#include <emmintrin.h>
#include <limits>

namespace mpf {

void Magnitudes::add(const double *values, uint64_t count, uint64_t step) {
  for (uint64_t i = step == 1 ? addPairs(values, count) : 0; i < count; ++i)
    add(values[i * step]);
}

/// Adds values that follow each other, two at a time, and returns how many. Every x86-64 compares
/// two doubles at once, but no integers of 64 bits.
uint64_t Magnitudes::addPairs(const double *values, uint64_t count) {
  constexpr uint64_t kStep = 4;
  if (count < kStep)
    return 0;
  const __m128d sign = _mm_set1_pd(-0.0), zero = _mm_setzero_pd();
  const __m128d infinity = _mm_set1_pd(std::numeric_limits<double>::infinity());
  __m128d most[2] = {zero, zero}, fewest[2] = {infinity, infinity}; // two chains of comparisons
  __m128d negative = zero, unusual = zero;
  uint64_t i = 0;
  for (; i + kStep <= count; i += kStep)
    for (uint64_t pair = 0; pair < 2; ++pair) {
      const __m128d value = _mm_loadu_pd(values + i + 2 * pair);
      const __m128d magnitude = _mm_andnot_pd(sign, value);
      // Where the first operand is not a number, the second one is the result.
      most[pair] = _mm_max_pd(magnitude, most[pair]);
      const __m128d isZero = _mm_cmpeq_pd(magnitude, zero);
      fewest[pair] = _mm_min_pd(_mm_or_pd(magnitude, _mm_and_pd(isZero, infinity)), fewest[pair]);
      negative = _mm_or_pd(negative, _mm_cmplt_pd(value, zero));
      unusual = _mm_or_pd(unusual, _mm_cmpnlt_pd(magnitude, infinity));
    }
  double found[8];
  for (uint64_t pair = 0; pair < 2; ++pair) {
    _mm_storeu_pd(found + 4 * pair, most[pair]);
    _mm_storeu_pd(found + 4 * pair + 2, fewest[pair]);
  }
  if (_mm_movemask_pd(unusual) != 0) // an infinity, or what is not a number: rare, and refused
    return 0;
  for (const double magnitude : found)
    if (magnitude < std::numeric_limits<double>::infinity())
      add(magnitude);
  hasNegative |= _mm_movemask_pd(negative) != 0;
  return i;
}

} // namespace mpf
