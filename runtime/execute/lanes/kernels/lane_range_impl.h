// Which magnitudes the entries of a message have, for every instruction set. Internal linkage on
// purpose, as in runtime/execute/cpu/simd.h.
#pragma once

#include "runtime/execute/cpu/simd.h"
#include "runtime/execute/lanes/kernels/lane_kernels.h"

namespace mpf {

namespace {

/// The magnitudes of what was added so far, by lane.
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
  /// Vector v of a stretch.
  __attribute__((always_inline)) void add(size_t v, V entry) {
    const I bits = S::bits(entry) & S::kMagnitude;
    greatest[v] = bits > greatest[v] ? bits : greatest[v];
    const I below = (bits - 1) & S::kMagnitude; // that of 0 is the greatest
    least[v] = below < least[v] ? below : least[v];
  }
  void store(StripRange<T> &to) const {
    __builtin_memcpy(to.greatest, greatest, sizeof greatest);
    __builtin_memcpy(to.least, least, sizeof least);
  }
};

} // namespace

} // namespace mpf
