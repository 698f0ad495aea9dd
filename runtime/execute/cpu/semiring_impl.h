// Parts of the inner loops of one instruction set: the semirings on vectors, loops over vectors
// with a rest, the range of written entries. Everything has internal linkage, as in simd.h.
#pragma once

#include "runtime/execute/cpu/cpu_kernels.h"
#include "runtime/execute/cpu/simd.h"

namespace {

using mpf::AbsRange;

template <class S> struct Sum {
  static typename S::V apply(typename S::V a, typename S::V b) { return a + b; }
};
template <class S> struct Max {
  static typename S::V apply(typename S::V a, typename S::V b) { return S::max(a, b); }
};
template <class S> struct Min {
  static typename S::V apply(typename S::V a, typename S::V b) { return S::min(a, b); }
};
template <class S> struct Times {
  static typename S::V apply(typename S::V a, typename S::V b) { return a * b; }
};
template <class S> struct Plus {
  static typename S::V apply(typename S::V a, typename S::V b) { return a + b; }
};

/// One of the five semirings: how entries combine and reduce, and the reduction's identity.
template <class S, template <class> class ReduceOp, template <class> class CombineOp, int Identity>
struct Pair {
  using V = typename S::V;
  using T = typename S::Element;
  static V combine(V a, V b) { return CombineOp<S>::apply(a, b); }
  static V reduce(V a, V b) { return ReduceOp<S>::apply(a, b); }
  static constexpr T kIdentity = Identity == 0  ? T{0}
                                 : Identity > 0 ? FloatTraits<T>::kInfinity
                                                : -FloatTraits<T>::kInfinity;
};

/// Calls f(i, load, store) for whole vectors, then once for the rest, with partial loads and
/// stores.
template <class S, class F> inline void forVectors(size_t n, F f) {
  using T = typename S::Element;
  using V = typename S::V;
  size_t i = 0;
  for (; i + S::kWidth <= n; i += S::kWidth)
    f(
        i, [](const T *p, T) { return S::load(p); }, [](T *p, V v) { S::store(p, v); });
  if (const size_t rest = n - i; rest != 0)
    f(
        i, [rest](const T *p, T fill) { return S::loadPart(p, rest, fill); },
        [rest](T *p, V v) { S::storePart(p, v, rest); });
}

/// Least and greatest magnitude of the written entries, by lanes. Magnitudes are ordered like their
/// bits. A magnitude of 0 does not count, because bits - 1 is then the greatest number. Instruction
/// sets without a minimum of such integers compare the entries.
template <class S> struct RangeVectors {
  using T = typename S::Element;
  using V = typename S::V;
  using U = typename S::U;
  static constexpr bool kBits = sizeof(V) == 64;

  U belowLeast = ~U{};
  U greatestBits = U{};
  V least = S::broadcast(FloatTraits<T>::kInfinity), greatest = S::broadcast(0);

  void add(V v) {
    const V magnitude = S::abs(v);
    if constexpr (kBits) {
      const U bits = reinterpret_cast<U>(magnitude), below = bits - 1;
      greatestBits = bits > greatestBits ? bits : greatestBits;
      belowLeast = below < belowLeast ? below : belowLeast;
    } else {
      greatest = S::max(greatest, magnitude);
      least = S::min(least, magnitude == S::broadcast(0) ? S::broadcast(FloatTraits<T>::kInfinity)
                                                         : magnitude);
    }
  }
  void merge(AbsRange<T> &range) {
    settle();
    for (size_t i = 0; i < S::kWidth; ++i) {
      range.least = least[i] < range.least ? least[i] : range.least;
      range.greatest = greatest[i] > range.greatest ? greatest[i] : range.greatest;
    }
  }
  void merge(mpf::LaneRange<T> &range) {
    settle();
    S::store(range.least.data(), S::min(S::load(range.least.data()), least));
    S::store(range.greatest.data(), S::max(S::load(range.greatest.data()), greatest));
  }

private:
  void settle() {
    if constexpr (kBits) {
      greatest = reinterpret_cast<V>(greatestBits);
      const V found = reinterpret_cast<V>(belowLeast + 1);
      least = found == S::broadcast(0) ? S::broadcast(FloatTraits<T>::kInfinity) : found;
    }
  }
};

} // namespace
