// The register tiles: one micro-kernel per semiring and height.
#pragma once

#include "runtime/execute/cpu/semiring_impl.h"

namespace {

using mpf::kTileHeights;
using mpf::TileArgs;

/// Computes one tile with Height x (2 vectors) accumulators; each row and k takes one broadcast and
/// two multiply-adds. The accumulators of the tallest tile, two vectors of b and a broadcast fill
/// the register file (Goto and van de Geijn, "Anatomy of high-performance matrix multiplication",
/// section 4).
/// `Faces`: each product is also multiplied by an entry of c, which no other address reads.
template <class S, class P, size_t Height, bool Faces>
void tileKernel(const TileArgs<typename S::Element> &t) {
  using T = typename S::Element;
  using V = typename S::V;
  constexpr size_t kColumns = 2 * S::kWidth;
  V acc[Height][2];
  for (size_t i = 0; i < Height; ++i)
    acc[i][0] = acc[i][1] = S::broadcast(P::kIdentity);
  const T *a = t.a, *b = t.b;
  const T *c[Height];
  for (size_t i = 0; i < Height && Faces; ++i)
    c[i] = t.c + t.cRows[i < t.rows ? i : 0];
  for (size_t k = 0; k < t.depth; ++k, a += t.aStep, b += t.bStep) {
    const V b0 = S::load(b), b1 = S::load(b + S::kWidth);
#pragma GCC unroll 16
    for (size_t i = 0; i < Height; ++i) {
      const V ai = S::broadcast(a[i]);
      if constexpr (Faces) {
        acc[i][0] = P::reduce(acc[i][0], P::combine(P::combine(ai, b0), S::load(c[i])));
        acc[i][1] = P::reduce(acc[i][1], P::combine(P::combine(ai, b1), S::load(c[i] + S::kWidth)));
        c[i] += t.cStep;
      } else {
        acc[i][0] = P::reduce(acc[i][0], P::combine(ai, b0));
        acc[i][1] = P::reduce(acc[i][1], P::combine(ai, b1));
      }
    }
  }
  RangeVectors<S> range;
  if (t.rows == Height && t.columns == kColumns && t.first && t.last) {
#pragma GCC unroll 16
    for (size_t i = 0; i < Height; ++i) {
      T *out = t.result + t.rowOffsets[i];
      const V v0 = acc[i][0] * t.factor, v1 = acc[i][1] * t.factor;
      S::store(out, v0);
      S::store(out + S::kWidth, v1);
      range.add(v0);
      range.add(v1);
    }
    return range.merge(*t.range);
  }
  // Tiles at edges and slices of k go through memory.
  T tile[Height][kColumns];
  for (size_t i = 0; i < Height; ++i) {
    S::store(tile[i], acc[i][0]);
    S::store(tile[i] + S::kWidth, acc[i][1]);
  }
  for (size_t i = 0; i < t.rows; ++i)
    forVectors<S>(t.columns, [&, i](size_t j, auto load, auto store) {
      T *out = t.result + t.rowOffsets[i] + j;
      V v = load(tile[i] + j, 0);
      if (!t.first)
        v = P::reduce(load(out, 0), v);
      if (t.last) {
        v = v * t.factor;
        range.add(v);
      }
      store(out, v);
    });
  if (t.last)
    range.merge(*t.range);
}

/// Adds the tiles of heights from number `Index` on, up to `Tallest`.
template <class S, class P, size_t Tallest, size_t Index = 0>
constexpr void addTiles(mpf::CpuKernels<typename S::Element> &kernels, size_t semiring) {
  if constexpr (Index < kTileHeights.size()) {
    constexpr size_t kHeight = kTileHeights[Index];
    if constexpr (kHeight <= Tallest)
      kernels.tile[semiring][Index] = tileKernel<S, P, kHeight, false>;
    if constexpr (kHeight <= mpf::kFaceRows)
      kernels.faceTile[semiring][Index] = tileKernel<S, P, kHeight, true>;
    addTiles<S, P, Tallest, Index + 1>(kernels, semiring);
  }
}

} // namespace
