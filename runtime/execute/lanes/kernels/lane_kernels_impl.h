// The operations of a strip on whole messages, for every instruction set. Everything has internal
// linkage, as in runtime/execute/cpu/simd.h.
#pragma once

#include "runtime/execute/lanes/kernels/lane_range_impl.h"

namespace mpf {

namespace {

/// A strip of `StripBytes` as vectors of `VectorBytes`.
template <class T, size_t StripBytes, size_t VectorBytes> struct Strip {
  using S = Simd<T, VectorBytes>;
  using V = typename S::V;
  using Range = VectorRange<T, StripBytes, VectorBytes>;
  static constexpr size_t kVectors = StripBytes / VectorBytes;
  static constexpr size_t kLanes = StripBytes / sizeof(T);

  static void measure(const T *message, size_t entries, StripRange<T> &to) {
    Range range;
    for (size_t e = 0; e < entries; ++e)
      for (size_t v = 0; v < kVectors; ++v)
        range.add(v, S::load(message + e * kLanes + v * S::kWidth));
    range.store(to);
  }

  static void rescale(const LaneRescale<T> &a) {
    using F = FloatTraits<T>;
    using Integer = typename S::Integer;
    constexpr Integer kBias = F::kBias;
    for (size_t i = 0; i < kVectors; ++i) {
      typename S::I greatest, least;
      __builtin_memcpy(&greatest, a.range->greatest + i * S::kWidth, sizeof greatest);
      __builtin_memcpy(&least, a.range->least + i * S::kWidth, sizeof least);
      const typename S::I biased = greatest >> F::kMantissaBits, none = biased - biased;
      const Integer low = (kBias + a.target - a.orders) << F::kMantissaBits;
      const typename S::I isOutside = (biased > kBias + a.target) | (least < low - 1);
      // A denormal number gets the greatest power of two, and its lane leaves.
      const typename S::I wanted = (2 * kBias + a.target) - biased, most = none + 2 * kBias;
      // The shift is biased like exponents.
      const typename S::I shift = isOutside ? (wanted > most ? most : wanted) : none + kBias;
      // The floor is at least the least normal number, because entries must be normal.
      const typename S::I lowest = biased - a.orders, first = none + 1;
      const typename S::I floor = (lowest > first ? lowest : first) << F::kMantissaBits;
      const typename S::I leaves = (biased >= (Integer{2} * kBias - 1)) | (least < floor - 1);
      bool moves = false;
      for (size_t lane = 0; lane < S::kWidth; ++lane) {
        moves |= shift[lane] != kBias;
        a.exponents[i * S::kWidth + lane] += static_cast<int32_t>(kBias - shift[lane]);
        a.left[i * S::kWidth + lane] |= leaves[lane] != 0 ? 1 : 0;
      }
      if (!moves)
        continue;
      const V factor = S::fromBits(shift << F::kMantissaBits);
      T *const message = a.message + i * S::kWidth;
      for (size_t e = 0; e < a.entries; ++e)
        S::store(message + e * kLanes, S::load(message + e * kLanes) * factor);
    }
  }
};

} // namespace

} // namespace mpf
