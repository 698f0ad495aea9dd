// Vectors of one instruction set, as compiler vector types; the text is compiled once per set.
// Everything here has internal linkage: translation units for different processors must not share
// an inline function, because the linker may keep the wrong copy.
#pragma once

#include <cstddef>
#include <cstdint>

namespace {

template <class T> struct IntegerOf;
template <> struct IntegerOf<double> {
  using Type = int64_t;
  using Unsigned = uint64_t;
};
template <> struct IntegerOf<float> {
  using Type = int32_t;
  using Unsigned = uint32_t;
};

/// Loads and stores of less than a vector; no memory behind the n elements is touched. Instruction
/// sets with masked moves specialise it (cpu/masked_*.h).
template <class T, size_t Bytes> struct MaskedVector {
  typedef T V __attribute__((vector_size(Bytes)));
  static V load(const T *p, size_t n, V fill) {
    __builtin_memcpy(&fill, p, n * sizeof(T));
    return fill;
  }
  static void store(T *p, V v, size_t n) { __builtin_memcpy(p, &v, n * sizeof(T)); }
};

template <class T, size_t Bytes> struct Simd {
  using Element = T;
  using Integer = typename IntegerOf<T>::Type;
  static constexpr size_t kWidth = Bytes / sizeof(T);
  typedef T V __attribute__((vector_size(Bytes)));
  typedef Integer I __attribute__((vector_size(Bytes)));
  typedef typename IntegerOf<T>::Unsigned U __attribute__((vector_size(Bytes)));

  static V broadcast(T x) { return x - V{}; }
  static V load(const T *p) {
    V v;
    __builtin_memcpy(&v, p, Bytes);
    return v;
  }
  static void store(T *p, V v) { __builtin_memcpy(p, &v, Bytes); }
  /// Loads the first n elements; the rest is `fill`.
  static V loadPart(const T *p, size_t n, T fill) {
    return MaskedVector<T, Bytes>::load(p, n, broadcast(fill));
  }
  static void storePart(T *p, V v, size_t n) { MaskedVector<T, Bytes>::store(p, v, n); }
  static V max(V a, V b) { return a > b ? a : b; }
  static V min(V a, V b) { return a < b ? a : b; }
  static I bits(V v) { return reinterpret_cast<I>(v); }
  static V fromBits(I i) { return reinterpret_cast<V>(i); }
  static V abs(V v) { return fromBits(bits(v) & kMagnitude); }
  static constexpr Integer kMagnitude = static_cast<Integer>(~(Integer{1} << (8 * sizeof(T) - 1)));
};

/// Constants of a floating-point type for the mathematical functions.
template <class T> struct FloatTraits;
template <> struct FloatTraits<double> {
  static constexpr int kMantissaBits = 52;
  static constexpr int64_t kBias = 1023;
  static constexpr double kRound = 6755399441055744.0; ///< 1.5 * 2^52: adding it rounds to integer
  static constexpr double kLeastNormal = 2.2250738585072014e-308;
  static constexpr double kInfinity = __builtin_inf();
  /// The polynomial q of exp2Vector, highest power first.
  static constexpr double kPower2[] = {7.070977866508138e-09,  1.0205905413765595e-07,
                                       1.3215451633221434e-06, 1.5252672924850737e-05,
                                       0.00015403530424776529, 0.0013333558200794592,
                                       0.009618129107618665,   0.05550410866465167,
                                       0.24022650695910075,    0.6931471805599462};
};
template <> struct FloatTraits<float> {
  static constexpr int kMantissaBits = 23;
  static constexpr int32_t kBias = 127;
  static constexpr float kRound = 12582912.0f; ///< 1.5 * 2^23
  static constexpr float kLeastNormal = 1.17549435e-38f;
  static constexpr float kInfinity = __builtin_inff();
  static constexpr float kPower2[] = {0.0001545316295f, 0.001339086336f, 0.009618082557f,
                                      0.05550357114f,   0.2402265076f,   0.693147188f};
};

/// Returns 2^x for x <= kBias; 0 if the result would not be normal (also for -infinity). Writes x =
/// n + f with |f| <= 1/2 and 2^f = 1 + f q(f). Chebyshev interpolation gives q: relative error
/// 6e-16 (degree 9) and 5e-9 (degree 5).
template <class S> inline typename S::V exp2Vector(typename S::V x) {
  using T = typename S::Element;
  using F = FloatTraits<T>;
  const T least = static_cast<T>(1 - F::kBias);
  const typename S::I lost = x < S::broadcast(least);
  const typename S::V clamped = S::max(x, S::broadcast(least));
  const typename S::V rounded = clamped + F::kRound;
  const typename S::V n = rounded - F::kRound;
  const typename S::V f = clamped - n;
  typename S::V p = S::broadcast(F::kPower2[0]);
  for (size_t k = 1; k < sizeof F::kPower2 / sizeof(T); ++k)
    p = p * f + F::kPower2[k];
  p = p * f + T{1};
  // The integer n is in the low bits of `rounded`; it moves to the exponent field of p.
  const typename S::I n_bits = S::bits(rounded) << F::kMantissaBits;
  const typename S::I scaled = S::bits(p) + n_bits;
  return S::fromBits(scaled & ~lost);
}

/// Returns log2 |x|; -infinity for 0. x = m 2^e with m in [sqrt(1/2), sqrt 2);
/// ln m = 2 artanh((m - 1) / (m + 1)), |argument| <= 0.1716, by its series.
template <class S> inline typename S::V log2Vector(typename S::V signedX) {
  using T = typename S::Element;
  using F = FloatTraits<T>;
  using Integer = typename S::Integer;
  typename S::V x = S::abs(signedX);
  const typename S::I isZero = x == S::broadcast(0);
  const typename S::I isSmall = x < S::broadcast(F::kLeastNormal);
  const T lift = static_cast<T>(Integer{1} << (F::kMantissaBits + 1));
  x = isSmall ? x * lift : x;
  const T lifted = static_cast<T>(F::kMantissaBits + 1);
  // Subtracting the bits of sqrt(1/2) puts the exponent of m's interval into the exponent field.
  const T rootHalf = static_cast<T>(0.70710678118654752440);
  Integer rootBits;
  __builtin_memcpy(&rootBits, &rootHalf, sizeof rootBits);
  const typename S::I shifted = S::bits(x) - rootBits;
  const typename S::I e = shifted >> F::kMantissaBits;
  const typename S::V m = S::fromBits(S::bits(x) - (e << F::kMantissaBits));
  // Converts e to floating point without a conversion instruction: e is far below 2^(mantissa - 1).
  const T round = F::kRound;
  Integer roundBits;
  __builtin_memcpy(&roundBits, &round, sizeof roundBits);
  typename S::V exponent = S::fromBits(e + roundBits) - round;
  exponent = isSmall ? exponent - lifted : exponent;
  const typename S::V s = (m - T{1}) / (m + T{1});
  const typename S::V z = s * s;
  constexpr int kTerms = sizeof(T) == 8 ? 11 : 5;
  typename S::V p = S::broadcast(static_cast<T>(1.0 / (2 * kTerms + 1)));
  for (int k = kTerms - 1; k >= 1; --k)
    p = S::broadcast(static_cast<T>(1.0 / (2 * k + 1))) + z * p;
  const typename S::V ln = T{2} * s + T{2} * s * z * p;
  const typename S::V result = exponent + ln * static_cast<T>(1.44269504088896340736);
  return isZero ? S::broadcast(-F::kInfinity) : result;
}

} // namespace
