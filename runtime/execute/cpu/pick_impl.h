// Loads entries that are close in memory: whole vectors are loaded, and the entries are picked out
// of them, instead of loading each entry alone.
#pragma once

#include "runtime/execute/cpu/cpu_kernels.h"
#include "runtime/execute/cpu/simd.h"

namespace {

/// Loads rows in which the entries of one vector are in `Vectors` neighbouring vectors. Nothing is
/// read behind the last readable entry.
template <class S, size_t Vectors, bool Even>
inline void pickVectors(const mpf::PickArgs<typename S::Element> &args) {
  using V = typename S::V;
  constexpr size_t kWidth = S::kWidth;
  const auto p = args; // a copy: stores could alias `args` for the compiler
  typename S::I lanes;
  __builtin_memcpy(&lanes, p.lanes, sizeof lanes);
  const auto found = [&](size_t i) {
    const uint64_t start = p.starts[i / kWidth];
    const auto *from = p.from + start;
    const auto load = [&](size_t first) {
      if (start + first + kWidth <= p.readable)
        return S::load(from + first);
      const size_t left = p.readable > start + first ? p.readable - start - first : 0;
      return S::loadPart(from + first, left, 0);
    };
    if constexpr (!Even)
      __builtin_memcpy(&lanes, p.lanes + i, sizeof lanes);
    const V low = load(0);
    return MaskedVector<typename S::Element, sizeof(V)>::pick(
        low, Vectors == 1 ? low : load(kWidth), lanes);
  };
  size_t i = 0;
  for (; i + kWidth <= p.n; i += kWidth)
    S::store(p.to + i, found(i));
  if (i < p.n)
    S::storePart(p.to + i, found(i), p.n - i);
}

template <class S> void pickRow(const mpf::PickArgs<typename S::Element> &p) {
  if (p.even && p.lanesReach <= S::kWidth)
    pickVectors<S, 1, true>(p);
  else if (p.even)
    pickVectors<S, 2, true>(p);
  else
    pickVectors<S, 2, false>(p);
}

/// Sets `pick` if the instruction set can pick lanes by numbers in a vector.
template <class S> constexpr void addPick(mpf::CpuKernels<typename S::Element> &kernels) {
  if constexpr (requires { &MaskedVector<typename S::Element, sizeof(typename S::V)>::pick; }) {
    kernels.pickLanes = S::kWidth;
    kernels.pick = pickRow<S>;
  }
}

} // namespace
