// Packing: one operand's share of a panel, entry (k, i) to panel[k * width + i].
#pragma once

#include "runtime/execute/cpu/semiring_impl.h"

#include <utility>

namespace {

using mpf::PackArgs;
using mpf::PackMode;

template <class S, PackMode Mode>
inline typename S::V packed(typename S::V old, typename S::V entry) {
  if constexpr (Mode == PackMode::Multiply)
    return old * entry;
  else if constexpr (Mode == PackMode::Add)
    return old + entry;
  else
    return entry;
}

/// Returns a vector whose lane i is lane LaneOf(i) of `a` followed by `b`.
template <class S, auto LaneOf, size_t... Lanes>
inline typename S::V pickLanes(typename S::V a, typename S::V b, std::index_sequence<Lanes...>) {
  return __builtin_shufflevector(a, b, LaneOf(Lanes)...);
}
template <class S, auto LaneOf> inline typename S::V pickLanes(typename S::V a, typename S::V b) {
  return pickLanes<S, LaneOf>(a, b, std::make_index_sequence<S::kWidth>());
}

/// Adds the lanes of vector Q and of later ones to `found`.
template <class S, size_t Step, size_t Q>
inline typename S::V takeStrided(typename S::V found, const typename S::Element *from) {
  constexpr size_t kWidth = S::kWidth;
  if constexpr (Q == Step) {
    return found;
  } else {
    const typename S::V next = Q + 1 < Step
                                   ? S::load(from + Q * kWidth)
                                   : S::loadPart(from + Q * kWidth, kWidth - (Step - 1), 0);
    constexpr auto kLane = [](size_t lane) {
      const size_t at = lane * Step;
      // The first step also moves the entries of the first vector to their lanes.
      const size_t old = Q == 1 && at < kWidth ? at : lane;
      return static_cast<int>(at / kWidth == Q ? kWidth + at % kWidth : old);
    };
    return takeStrided<S, Step, Q + 1>(pickLanes<S, kLane>(found, next), from);
  }
}

/// Loads kWidth entries that are `Step` apart, from Step vectors. The last vector ends with the
/// last entry.
template <class S, size_t Step> inline typename S::V loadStrided(const typename S::Element *from) {
  return takeStrided<S, Step, 1>(S::load(from), from);
}

/// Packs entries whose neighbouring i are `Step` apart in memory.
template <class S, PackMode Mode, size_t Step>
void packStrided(const PackArgs<typename S::Element> &p) {
  using T = typename S::Element;
  constexpr bool kVectors = S::kWidth > Step;
  for (size_t k = 0; k < p.depth; ++k) {
    const T *from = p.from + p.deep[k] + p.along[0];
    T *to = p.panel + k * p.width;
    size_t i = 0;
    if constexpr (kVectors)
      for (; i + S::kWidth <= p.valid; i += S::kWidth)
        S::store(to + i, packed<S, Mode>(S::load(to + i), loadStrided<S, Step>(from + i * Step)));
    for (; i < p.valid; ++i)
      if constexpr (Mode == PackMode::Multiply)
        to[i] *= from[i * Step];
      else if constexpr (Mode == PackMode::Add)
        to[i] += from[i * Step];
      else
        to[i] = from[i * Step];
  }
}

/// Packs one entry for all i.
template <class S, PackMode Mode> void packSame(const PackArgs<typename S::Element> &p) {
  using T = typename S::Element;
  for (size_t k = 0; k < p.depth; ++k) {
    const typename S::V entry = S::broadcast(p.from[p.deep[k] + p.along[0]]);
    T *to = p.panel + k * p.width;
    forVectors<S>(p.valid, [=](size_t i, auto load, auto store) {
      store(to + i, packed<S, Mode>(load(to + i, 0), entry));
    });
  }
}

/// Packs entries whose neighbouring i are neighbours in memory.
template <class S, PackMode Mode> void packAlong(const PackArgs<typename S::Element> &p) {
  using T = typename S::Element;
  for (size_t k = 0; k < p.depth; ++k) {
    const T *from = p.from + p.deep[k] + p.along[0];
    T *to = p.panel + k * p.width;
    forVectors<S>(p.valid, [=](size_t i, auto load, auto store) {
      store(to + i, packed<S, Mode>(load(to + i, 0), load(from + i, 0)));
    });
  }
}

/// Does one step of the transposition of kWidth vectors: swaps blocks of Step lanes across the
/// diagonal.
template <class S, size_t Step> inline void swapBlocks(typename S::V (&v)[S::kWidth]) {
  constexpr auto kLow = [](size_t lane) {
    return static_cast<int>((lane & Step) != 0 ? S::kWidth + lane - Step : lane);
  };
  constexpr auto kHigh = [](size_t lane) {
    return static_cast<int>((lane & Step) != 0 ? S::kWidth + lane : lane + Step);
  };
#pragma GCC unroll 16
  for (size_t r = 0; r < S::kWidth; ++r)
    if ((r & Step) == 0) {
      const typename S::V upper = v[r], lower = v[r + Step];
      v[r] = pickLanes<S, kLow>(upper, lower);
      v[r + Step] = pickLanes<S, kHigh>(upper, lower);
    }
}

template <class S> inline void transposeVectors(typename S::V (&v)[S::kWidth]) {
  if constexpr (S::kWidth >= 16)
    swapBlocks<S, 8>(v);
  if constexpr (S::kWidth >= 8)
    swapBlocks<S, 4>(v);
  if constexpr (S::kWidth >= 4)
    swapBlocks<S, 2>(v);
  swapBlocks<S, 1>(v);
}

/// Packs up to kWidth i and kWidth k, whose neighbouring k are neighbours in memory.
template <class S, PackMode Mode, bool Whole>
inline void transposeBlock(const PackArgs<typename S::Element> &p, size_t i, size_t k) {
  using T = typename S::Element;
  constexpr size_t kWidth = S::kWidth;
  const size_t rows = Whole || p.valid - i > kWidth ? kWidth : p.valid - i;
  const size_t terms = Whole || p.depth - k > kWidth ? kWidth : p.depth - k;
  const T *from = p.from + p.deep[k];
  typename S::V v[kWidth];
#pragma GCC unroll 16
  for (size_t r = 0; r < kWidth; ++r)
    if constexpr (Whole)
      v[r] = S::load(from + p.along[i + r]);
    else
      v[r] = r < rows ? S::loadPart(from + p.along[i + r], terms, 0) : S::broadcast(0);
  transposeVectors<S>(v);
  T *to = p.panel + k * p.width + i;
#pragma GCC unroll 16
  for (size_t t = 0; t < kWidth; ++t) {
    if (!Whole && t >= terms)
      break;
    T *at = to + t * p.width;
    if constexpr (Whole)
      S::store(at, packed<S, Mode>(S::load(at), v[t]));
    else
      S::storePart(at, packed<S, Mode>(S::loadPart(at, rows, 0), v[t]), rows);
  }
}

/// Packs entries whose neighbouring k are neighbours in memory.
template <class S, PackMode Mode> void packAcross(const PackArgs<typename S::Element> &p) {
  // A block of 16 x 16 would be half empty.
  if constexpr (S::kWidth == 16)
    if (p.valid < S::kWidth || p.depth < S::kWidth)
      return packAcross<Simd<typename S::Element, 32>, Mode>(p);
  for (size_t k = 0; k < p.depth; k += S::kWidth)
    for (size_t i = 0; i < p.valid; i += S::kWidth)
      if (k + S::kWidth <= p.depth && i + S::kWidth <= p.valid)
        transposeBlock<S, Mode, true>(p, i, k);
      else
        transposeBlock<S, Mode, false>(p, i, k);
}

template <class S, size_t Step>
constexpr void addStrided(mpf::PackKernels<typename S::Element> &kernels) {
  auto &modes = kernels.along[Step];
  modes[0] = packStrided<S, PackMode::Copy, Step>;
  modes[1] = packStrided<S, PackMode::Multiply, Step>;
  modes[2] = packStrided<S, PackMode::Add, Step>;
}

template <class S> constexpr mpf::PackKernels<typename S::Element> packFunctions() {
  mpf::PackKernels<typename S::Element> kernels;
  kernels.along[0][0] = packSame<S, PackMode::Copy>;
  kernels.along[1][0] = packAlong<S, PackMode::Copy>;
  kernels.along[0][1] = packSame<S, PackMode::Multiply>;
  kernels.along[1][1] = packAlong<S, PackMode::Multiply>;
  kernels.along[0][2] = packSame<S, PackMode::Add>;
  kernels.along[1][2] = packAlong<S, PackMode::Add>;
  addStrided<S, 2>(kernels);
  addStrided<S, 3>(kernels);
  addStrided<S, 4>(kernels);
  kernels.across[0] = packAcross<S, PackMode::Copy>;
  kernels.across[1] = packAcross<S, PackMode::Multiply>;
  kernels.across[2] = packAcross<S, PackMode::Add>;
  return kernels;
}

} // namespace
