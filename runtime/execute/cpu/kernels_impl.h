// The inner loops for one instruction set: included by kernels_<set>.cpp only, compiled with that
// set's flags. Internal linkage throughout, for the reason given in simd.h.
#pragma once

#include "runtime/execute/cpu/pack_impl.h"
#include "runtime/execute/cpu/pick_impl.h"
#include "runtime/execute/cpu/tile_impl.h"

namespace {

using mpf::CpuKernels;

template <class S, class P> struct Rows {
  using T = typename S::Element;
  using V = typename S::V;
  static void combine(T *out, const T *a, const T *b, size_t n) {
    forVectors<S>(n, [=](size_t i, auto load, auto store) {
      store(out + i, P::combine(load(a + i, 0), load(b + i, 0)));
    });
  }
  static void combineScalar(T *out, const T *a, T s, size_t n) {
    const V factor = S::broadcast(s);
    forVectors<S>(n, [=](size_t i, auto load, auto store) {
      store(out + i, P::combine(load(a + i, 0), factor));
    });
  }
  static void accumulate(T *acc, const T *a, const T *b, size_t n) {
    forVectors<S>(n, [=](size_t i, auto load, auto store) {
      store(acc + i, P::reduce(load(acc + i, 0), P::combine(load(a + i, 0), load(b + i, 0))));
    });
  }
  static void accumulateScalar(T *acc, const T *a, T s, size_t n) {
    const V factor = S::broadcast(s);
    forVectors<S>(n, [=](size_t i, auto load, auto store) {
      store(acc + i, P::reduce(load(acc + i, 0), P::combine(load(a + i, 0), factor)));
    });
  }
  /// Computes `dot` for Count rows; 0: any number of rows.
  template <size_t Count> static T dotOf(const T *const *rows, size_t count, size_t n) {
    V acc = S::broadcast(P::kIdentity);
    size_t i = 0;
    for (; i + S::kWidth <= n; i += S::kWidth) {
      V product = S::load(rows[0] + i);
      for (size_t r = 1; r < (Count == 0 ? count : Count); ++r)
        product = P::combine(product, S::load(rows[r] + i));
      acc = P::reduce(acc, product);
    }
    if (const size_t rest = n - i; rest != 0) {
      V product = S::loadPart(rows[0] + i, rest, 0);
      for (size_t r = 1; r < (Count == 0 ? count : Count); ++r)
        product = P::combine(product, S::loadPart(rows[r] + i, rest, 0));
      T lanes[S::kWidth];
      S::store(lanes, product);
      acc = P::reduce(acc, S::loadPart(lanes, rest, P::kIdentity));
    }
    return totalLanes(acc);
  }
  static T dot(const T *const *rows, size_t count, size_t n) {
    switch (count) {
    case 1:
      return dotOf<1>(rows, count, n);
    case 2:
      return dotOf<2>(rows, count, n);
    case 3:
      return dotOf<3>(rows, count, n);
    default:
      return dotOf<0>(rows, count, n);
    }
  }
  static T total(const T *a, size_t n) { return dotOf<1>(&a, 1, n); }

private:
  /// Reduces the lanes by halving, so that the order of the sum does not depend on n.
  static T totalLanes(V acc) {
    T lanes[S::kWidth];
    S::store(lanes, acc);
    for (size_t width = S::kWidth / 2; width >= 1; width /= 2)
      for (size_t i = 0; i < width; ++i)
        lanes[i] = P::reduce(S::broadcast(lanes[i]), S::broadcast(lanes[i + width]))[0];
    return lanes[0];
  }
};

template <class S>
void finish(typename S::Element *out, const typename S::Element *a, typename S::Element factor,
            size_t n, AbsRange<typename S::Element> *range) {
  RangeVectors<S> seen;
  forVectors<S>(n, [&](size_t i, auto load, auto store) {
    const typename S::V v = load(a + i, 0) * factor;
    seen.add(v);
    store(out + i, v);
  });
  seen.merge(*range);
}

template <class S> void log2Abs(typename S::Element *out, const typename S::Element *a, size_t n) {
  forVectors<S>(
      n, [=](size_t i, auto load, auto store) { store(out + i, log2Vector<S>(load(a + i, 1))); });
}

template <class S>
void exp2Shifted(typename S::Element *out, const typename S::Element *a, typename S::Element shift,
                 size_t n) {
  forVectors<S>(n, [=](size_t i, auto load, auto store) {
    store(out + i, exp2Vector<S>(load(a + i, shift) - shift));
  });
}

/// Returns a - max, and -infinity instead of NaN if both are -infinity.
template <class S> inline typename S::V exponentBelow(typename S::V a, typename S::V max) {
  const typename S::V lowest = S::broadcast(-FloatTraits<typename S::Element>::kInfinity);
  return a == lowest ? lowest : a - max;
}

template <class S>
void sumExp2(typename S::Element *sum, const typename S::Element *a, const typename S::Element *max,
             size_t n) {
  forVectors<S>(n, [=](size_t i, auto load, auto store) {
    store(sum + i,
          load(sum + i, 0) + exp2Vector<S>(exponentBelow<S>(load(a + i, 0), load(max + i, 0))));
  });
}

template <class S>
void sumSignedExp2(typename S::Element *sum, const typename S::Element *a,
                   const typename S::Element *max, const typename S::Element *signs, size_t n) {
  forVectors<S>(n, [=](size_t i, auto load, auto store) {
    const auto term = exp2Vector<S>(exponentBelow<S>(load(a + i, 0), load(max + i, 0)));
    store(sum + i, load(sum + i, 0) + term * load(signs + i, 0));
  });
}

template <class S, class P, size_t TileRows>
constexpr void addPair(CpuKernels<typename S::Element> &kernels, mpf::StoredSemiring semiring) {
  const auto i = static_cast<size_t>(semiring);
  addTiles<S, P, TileRows>(kernels, i);
  kernels.combine[i] = Rows<S, P>::combine;
  kernels.combineScalar[i] = Rows<S, P>::combineScalar;
  kernels.accumulate[i] = Rows<S, P>::accumulate;
  kernels.accumulateScalar[i] = Rows<S, P>::accumulateScalar;
  kernels.dot[i] = Rows<S, P>::dot;
  kernels.total[i] = Rows<S, P>::total;
}

/// Returns the kernels of one instruction set. Max over Times starts at 0, because values are not
/// negative. `TileRows`: height of the tallest register tile, one of kTileHeights.
template <class T, size_t Bytes, size_t TileRows>
constexpr CpuKernels<T> makeKernels(const char *name) {
  using S = Simd<T, Bytes>;
  CpuKernels<T> kernels;
  kernels.name = name;
  kernels.tileRows = TileRows;
  kernels.tileColumns = 2 * S::kWidth;
  addPair<S, Pair<S, Sum, Times, 0>, TileRows>(kernels, mpf::StoredSemiring::SumTimes);
  addPair<S, Pair<S, Max, Times, 0>, TileRows>(kernels, mpf::StoredSemiring::MaxTimes);
  addPair<S, Pair<S, Min, Times, 1>, TileRows>(kernels, mpf::StoredSemiring::MinTimes);
  addPair<S, Pair<S, Max, Plus, -1>, TileRows>(kernels, mpf::StoredSemiring::MaxPlus);
  addPair<S, Pair<S, Min, Plus, 1>, TileRows>(kernels, mpf::StoredSemiring::MinPlus);
  kernels.pack = packFunctions<S>();
  addPick<S>(kernels);
  kernels.finish = finish<S>;
  kernels.log2Abs = log2Abs<S>;
  kernels.exp2Shifted = exp2Shifted<S>;
  kernels.sumExp2 = sumExp2<S>;
  kernels.sumSignedExp2 = sumSignedExp2<S>;
  return kernels;
}

} // namespace
