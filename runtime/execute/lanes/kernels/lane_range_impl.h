// Finds the magnitudes of the entries of a message, for every instruction set. Everything has
// internal linkage, as in runtime/execute/cpu/simd.h.
#pragma once

#include "runtime/execute/cpu/simd.h"
#include "runtime/execute/lanes/kernels/lane_kernels.h"

namespace mpf {

namespace {

/// The magnitudes of the added entries, by lane.
template <class T, size_t StripBytes, size_t VectorBytes> struct VectorRange {
  using S = Simd<T, VectorBytes>;
  using V = typename S::V;
  using I = typename S::I;
  static constexpr size_t kVectors = StripBytes / VectorBytes;

  I greatest[kVectors] = {}, least[kVectors];

  VectorRange() {
    for (I &one : least)
      one = I{} + S::kMagnitude;
  }
  /// Adds vector v of a stretch.
  __attribute__((always_inline)) void add(size_t v, V entry) {
    const I bits = S::bits(entry) & S::kMagnitude;
    greatest[v] = bits > greatest[v] ? bits : greatest[v];
    const I below = (bits - 1) & S::kMagnitude; // 0 becomes the greatest number
    least[v] = below < least[v] ? below : least[v];
  }
  void store(StripRange<T> &to) const {
    __builtin_memcpy(to.greatest, greatest, sizeof greatest);
    __builtin_memcpy(to.least, least, sizeof least);
  }
};

} // namespace

} // namespace mpf
