// Sums of products for every instruction set. Everything has internal linkage, as in
// runtime/execute/cpu/simd.h.
#pragma once

#include "runtime/execute/lanes/kernels/lane_range_impl.h"

#include <type_traits>

namespace mpf {

namespace {

/// Returns `p` moved by `bytes` bytes.
template <class P> __attribute__((always_inline)) inline P *bytesOn(P *p, size_t bytes) {
  using Byte = std::conditional_t<std::is_const_v<P>, const char, char>;
  return reinterpret_cast<P *>(reinterpret_cast<Byte *>(p) + bytes);
}

/// Products of strips of `StripBytes`, as vectors of `VectorBytes`.
template <class T, size_t StripBytes, size_t VectorBytes> struct LaneProducts {
  using S = Simd<T, VectorBytes>;
  using V = typename S::V;
  using Range = VectorRange<T, StripBytes, VectorBytes>;
  static constexpr size_t kVectors = StripBytes / VectorBytes; ///< vectors of a stretch

  /// The number of vectors for which an entry of a shared operand is loaded once.
  static constexpr size_t kTogether = kVectors < 4 ? kVectors : 4;
  static constexpr size_t kMany = kMostLaneOperands; ///< any number of operands

  /// A copy of a product with at most these numbers of operands, for its loops: stores cannot
  /// change it. Strides are in bytes, so that the inner loops do not compute them for each load.
  template <size_t Messages, size_t Shared> struct Own {
    size_t outer, inner, columns, row, reduced, messages, shared;
    LaneOperand<T> message[Messages == 0 ? 1 : Messages], common[Shared == 0 ? 1 : Shared];
    T *result;
    const uint64_t *resultOuter, *resultInner;
    size_t resultColumnStride, resultStride;
    StripRange<T> *range;

    /// `swaps`: whether the first two messages are swapped.
    __attribute__((always_inline)) Own(const LaneProduct<T> &a, bool swaps)
        : outer(a.outer), inner(a.inner), columns(a.columns), row(a.row), reduced(a.reduced),
          messages(a.messages), shared(a.shared), result(a.result), resultOuter(a.resultOuter),
          resultInner(a.resultInner), resultColumnStride(a.resultColumnStride * StripBytes),
          resultStride(a.resultStride * StripBytes), range(a.range) {
      for (size_t m = 0; m < (Messages == kMany ? messages : Messages); ++m)
        message[m] = inBytes(a.message[swaps && m < 2 ? 1 - m : m], StripBytes);
      for (size_t s = 0; s < (Shared == kMany ? shared : Shared); ++s)
        common[s] = inBytes(a.common[s], sizeof(T));
    }

    static LaneOperand<T> inBytes(const LaneOperand<T> &a, size_t entryBytes) {
      return {a.entries,
              a.outer,
              a.inner,
              a.reduced,
              a.columnStride * entryBytes,
              a.stride * entryBytes};
    }
  };

  /// The places of the operands and the result for one entry.
  struct Entry {
    const T *message[kMostLaneOperands], *common[kMostLaneOperands];
    T *result;

    template <class Product>
    __attribute__((always_inline))
    Entry(const Product &a, size_t messages, size_t shared, size_t o, size_t i, size_t column) {
      for (size_t m = 0; m < messages; ++m)
        message[m] = bytesOn(a.message[m].entries,
                             (a.message[m].outer[o] + a.message[m].inner[i]) * StripBytes +
                                 column * a.message[m].columnStride);
      for (size_t s = 0; s < shared; ++s)
        common[s] = bytesOn(a.common[s].entries + a.common[s].outer[o] + a.common[s].inner[i],
                            column * a.common[s].columnStride);
      result = bytesOn(a.result, (a.resultOuter[o] + a.resultInner[i]) * StripBytes +
                                     column * a.resultColumnStride);
    }

    /// Moves to the n-th next entry of the row.
    template <class Product>
    __attribute__((always_inline)) void move(const Product &a, size_t messages, size_t shared,
                                             size_t n) {
      for (size_t m = 0; m < messages; ++m)
        message[m] = bytesOn(message[m], n * a.message[m].stride);
      for (size_t s = 0; s < shared; ++s)
        common[s] = bytesOn(common[s], n * a.common[s].stride);
      result = bytesOn(result, n * a.resultStride);
    }
  };

  /// Kinds of products, each with a separate loop. `Messages` and `Shared` are the numbers of
  /// operands. kMany is one or more; without shared operands it is two or more messages. `IsSame`:
  /// the second of two messages has one entry along a row.
  ///
  /// A *tile* is computed together, so that sums do not wait for each other and share loads. It has
  /// some entries of a row in each of some columns, and `Vectors` vectors of their stretches. 16
  /// registers have room for kTileVectors sums and the loads of a term. An entry that all lanes
  /// share serves several vectors; one of a message serves several entries.
  template <bool IsMax, size_t Messages, size_t Shared, bool IsSame, size_t Vectors>
  struct Product {
    using A = Own<Messages, Shared>;
    static_assert(kVectors % Vectors == 0);
    static constexpr size_t kTileVectors = 8;
    static constexpr size_t kColumns = Messages + Shared == 2 ? 2 : 1;

    template <size_t N, size_t C> struct Tile { V of[C][N][Vectors]; };

    static size_t messages(const A &a) { return Messages == kMany ? a.messages : Messages; }
    static size_t shared(const A &a) { return Shared == kMany ? a.shared : Shared; }

    /// Returns the entry of message m for term r and the first entry of a tile, from vector v on.
    __attribute__((always_inline)) static const T *messageAt(const A &a, const Entry &entry,
                                                             size_t m, size_t r, size_t v) {
      return bytesOn(entry.message[m], a.message[m].reduced[r] * StripBytes) + v * S::kWidth;
    }

    /// Computes the products of term r. The first message does not vary across columns.
    template <size_t N, size_t C>
    __attribute__((always_inline)) static Tile<N, C> term(const A &a, const Entry &entry, size_t r,
                                                          size_t v) {
      Tile<N, C> product;
      const T *const first = messageAt(a, entry, 0, r, v);
      for (size_t n = 0; n < N; ++n)
        for (size_t k = 0; k < Vectors; ++k) {
          const V loaded = S::load(bytesOn(first, n * a.message[0].stride) + k * S::kWidth);
          for (size_t c = 0; c < C; ++c)
            product.of[c][n][k] = loaded;
        }
      const auto times = [&](size_t m) {
        const T *const p = messageAt(a, entry, m, r, v);
        const size_t step = IsSame ? 0 : a.message[m].stride;
        for (size_t c = 0; c < C; ++c)
          for (size_t n = 0; n < N; ++n)
            for (size_t k = 0; k < Vectors; ++k)
              product.of[c][n][k] *=
                  S::load(bytesOn(p, c * a.message[m].columnStride + n * step) + k * S::kWidth);
      };
      // The last factor is multiplied outside of loops and branches, so that the compiler fuses the
      // multiplication with the addition of the term.
      constexpr size_t kLast = Shared == 0 && Messages != 1 ? 1 : 0;
      for (size_t m = 1; m < messages(a) - kLast; ++m)
        times(m);
      if constexpr (kLast == 1)
        times(messages(a) - 1);
      if constexpr (Shared != 0)
        for (size_t c = 0; c < C; ++c)
          for (size_t n = 0; n < N; ++n) {
            const auto entryOf = [&](size_t s) {
              const LaneOperand<T> &operand = a.common[s];
              return *bytesOn(entry.common[s] + operand.reduced[r],
                              c * operand.columnStride + n * operand.stride);
            };
            T factor = entryOf(0);
            for (size_t s = 1; s < shared(a); ++s)
              factor *= entryOf(s);
            const V all = S::broadcast(factor);
            for (size_t k = 0; k < Vectors; ++k)
              product.of[c][n][k] *= all;
          }
      return product;
    }

    template <size_t N, size_t C>
    __attribute__((always_inline)) static void tile(const A &a, Entry &entry, Range &range) {
#pragma GCC unroll 1
      for (size_t v = 0; v < kVectors; v += Vectors) {
        Tile<N, C> total = term<N, C>(a, entry, 0, v);
        for (size_t r = 1; r < a.reduced; ++r) {
          const Tile<N, C> product = term<N, C>(a, entry, r, v);
          for (size_t c = 0; c < C; ++c)
            for (size_t n = 0; n < N; ++n)
              for (size_t k = 0; k < Vectors; ++k)
                total.of[c][n][k] = IsMax ? S::max(total.of[c][n][k], product.of[c][n][k])
                                          : total.of[c][n][k] + product.of[c][n][k];
        }
        T *const to = entry.result + v * S::kWidth;
        for (size_t c = 0; c < C; ++c)
          for (size_t n = 0; n < N; ++n)
            for (size_t k = 0; k < Vectors; ++k)
              S::store(bytesOn(to, c * a.resultColumnStride + n * a.resultStride) + k * S::kWidth,
                       total.of[c][n][k]);
        if (a.range != nullptr)
          for (size_t k = 0; k < Vectors; ++k)
            for (size_t c = 0; c < C; ++c)
              for (size_t n = 0; n < N; ++n)
                range.add(v + k, total.of[c][n][k]);
      }
      entry.move(a, messages(a), shared(a), N);
    }

    template <size_t C>
    __attribute__((always_inline)) static void row(const A &a, Entry entry, Range &range) {
      constexpr size_t kMost = kTileVectors / (C * Vectors), kTile = kMost < 4 ? kMost : 4;
      static_assert(kTile >= 1);
      size_t left = a.row;
      for (; left >= kTile; left -= kTile)
        tile<kTile, C>(a, entry, range);
      if constexpr (kTile > 2)
        if (left == 3)
          tile<3, C>(a, entry, range);
      if constexpr (kTile > 2)
        if (left == 2)
          tile<2, C>(a, entry, range);
      if constexpr (kTile > 1)
        if (left == 1)
          tile<1, C>(a, entry, range);
    }

    static void run(const LaneProduct<T> &given, bool swaps) {
      const A a(given, swaps);
      Range range;
      for (size_t o = 0; o < a.outer; ++o)
        for (size_t i = 0; i < a.inner; ++i) {
          size_t column = 0;
          if constexpr (kColumns > 1)
            if (a.message[0].columnStride == 0)
              for (; column + kColumns <= a.columns; column += kColumns)
                row<kColumns>(a, Entry(a, messages(a), shared(a), o, i, column), range);
          for (; column < a.columns; ++column)
            row<1>(a, Entry(a, messages(a), shared(a), o, i, column), range);
        }
      if (a.range != nullptr)
        range.store(*a.range);
    }
  };

  /// Computes products without messages, whose results are equal in all lanes.
  template <bool IsMax> static void runShared(const LaneProduct<T> &given) {
    const Own<0, kMany> a(given, false);
    Range range;
    for (size_t o = 0; o < a.outer; ++o)
      for (size_t i = 0; i < a.inner; ++i)
        for (size_t column = 0; column < a.columns; ++column) {
          Entry entry(a, 0, a.shared, o, i, column);
          for (size_t j = 0; j < a.row; ++j) {
            T total = 0;
            for (size_t r = 0; r < a.reduced; ++r) {
              T product = 1;
              for (size_t s = 0; s < a.shared; ++s)
                product *= entry.common[s][a.common[s].reduced[r]];
              total = r == 0  ? product
                      : IsMax ? (total < product ? product : total)
                              : total + product;
            }
            const V all = S::broadcast(total);
            for (size_t v = 0; v < kVectors; ++v) {
              S::store(entry.result + v * S::kWidth, all);
              range.add(v, all);
            }
            entry.move(a, 0, a.shared, 1);
          }
        }
    if (a.range != nullptr)
      range.store(*a.range);
  }

  /// Computes products of two messages. They may be swapped, because a product of two numbers has
  /// the same bits in either order. The second is the one that does not vary along a row; if both
  /// vary, the one that varies across columns.
  template <bool IsMax> static void runPair(const LaneProduct<T> &a) {
    const bool isSame = a.message[0].stride == 0 || a.message[1].stride == 0;
    const bool swaps = isSame ? a.message[1].stride != 0 : a.message[0].columnStride != 0;
    if (isSame)
      return Product<IsMax, 2, 0, true, 1>::run(a, swaps);
    Product<IsMax, 2, 0, false, 1>::run(a, swaps);
  }

  /// Runs the loop of the product's kind. Kinds of few large steps have no separate loop.
  template <bool IsMax> static void run(const LaneProduct<T> &a) {
    if (a.messages == 0)
      return runShared<IsMax>(a);
    if (a.messages == 1 && a.shared == 0)
      return Product<IsMax, 1, 0, false, 1>::run(a, false);
#ifndef MPF_ONE_LANE_LOOP
    if (a.messages == 1 && a.shared == 1)
      return Product<IsMax, 1, 1, false, kTogether>::run(a, false);
    if (a.messages == 2 && a.shared == 0)
      return runPair<IsMax>(a);
    if (a.messages == 2 && a.shared == 1)
      return Product<IsMax, 2, 1, false, kTogether>::run(a, false);
    if (a.messages == 3 && a.shared == 0)
      return Product<IsMax, 3, 0, false, 1>::run(a, false);
#endif
    if (a.shared == 0)
      return Product<IsMax, kMany, 0, false, 1>::run(a, false);
    Product<IsMax, kMany, kMany, false, kTogether>::run(a, false);
  }
};

} // namespace

} // namespace mpf
