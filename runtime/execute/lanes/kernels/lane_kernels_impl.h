// One text of the lanes' inner loops for every instruction set. Internal linkage on purpose, as in
// runtime/execute/cpu/simd.h.
#pragma once

#include "runtime/execute/cpu/simd.h"
#include "runtime/execute/lanes/kernels/lane_kernels.h"

#include <type_traits>

namespace mpf {

namespace {

/// A strip of `StripBytes` as vectors of `VectorBytes`.
template <class T, size_t StripBytes, size_t VectorBytes> struct Strip {
  using S = Simd<T, VectorBytes>;
  using V = typename S::V;
  static constexpr size_t kVectors = StripBytes / VectorBytes;
  static constexpr size_t kLanes = StripBytes / sizeof(T);

  struct Stretch {
    V v[kVectors];
  };

  static Stretch load(const T *p) {
    Stretch s;
    for (size_t i = 0; i < kVectors; ++i)
      s.v[i] = S::load(p + i * S::kWidth);
    return s;
  }
  static void store(T *p, const Stretch &s) {
    for (size_t i = 0; i < kVectors; ++i)
      S::store(p + i * S::kWidth, s.v[i]);
  }

  /// The magnitudes of what was stored so far, by lane.
  struct Range {
    typename S::I greatest[kVectors] = {}, least[kVectors];

    Range() {
      for (typename S::I &one : least)
        one = greatest[0] + S::kMagnitude;
    }
    __attribute__((always_inline)) void add(const Stretch &entry) {
      for (size_t i = 0; i < kVectors; ++i)
        add(i, entry.v[i]);
    }
    __attribute__((always_inline)) void add(size_t i, V entry) {
      const typename S::I bits = S::bits(entry) & S::kMagnitude;
      greatest[i] = bits > greatest[i] ? bits : greatest[i];
      const typename S::I below = (bits - 1) & S::kMagnitude; // that of 0 is the greatest
      least[i] = below < least[i] ? below : least[i];
    }
    void store(StripRange<T> &to) const {
      __builtin_memcpy(to.greatest, greatest, sizeof greatest);
      __builtin_memcpy(to.least, least, sizeof least);
    }
  };

  /// Entries of a row of the result that are computed together, so that their sums do not wait for
  /// each other: as many as vector registers hold.
  static constexpr size_t kTile = kVectors >= 8 ? 1 : kVectors >= 4 ? 2 : 4;
  /// Columns of two rows are computed together where the first operand is the same in both.
  static constexpr size_t kColumns = 2;

  /// `p`, so many bytes on.
  template <class P> __attribute__((always_inline)) static P *at(P *p, size_t bytes) {
    using Byte = std::conditional_t<std::is_const_v<P>, const char, char>;
    return reinterpret_cast<P *>(reinterpret_cast<Byte *>(p) + bytes);
  }

  static constexpr size_t kMany = kMostLaneOperands; ///< any number of operands

  /// A product of so many operands at most, as its loops read it: stores do not change it, and
  /// strides are in bytes, so that the inner loops do not work them out anew for each load.
  template <size_t Messages, size_t Shared> struct Own {
    size_t outer, inner, columns, row, reduced, messages, shared;
    LaneOperand<T> message[Messages == 0 ? 1 : Messages], common[Shared == 0 ? 1 : Shared];
    T *result;
    const uint64_t *resultOuter, *resultInner;
    size_t resultColumnStride, resultStride;
    StripRange<T> *range;

    /// `swaps`: the first two messages.
    __attribute__((always_inline)) Own(const LaneProduct<T> &a, bool swaps)
        : outer(a.outer), inner(a.inner), columns(a.columns), row(a.row), reduced(a.reduced),
          messages(a.messages), shared(a.shared), result(a.result), resultOuter(a.resultOuter),
          resultInner(a.resultInner), resultColumnStride(a.resultColumnStride * kLanes * sizeof(T)),
          resultStride(a.resultStride * kLanes * sizeof(T)), range(a.range) {
      for (size_t m = 0; m < (Messages == kMany ? messages : Messages); ++m)
        message[m] = inBytes(a.message[swaps && m < 2 ? 1 - m : m], kLanes * sizeof(T));
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

  /// Where the operands of an entry of the result start.
  struct Entry {
    const T *message[kMostLaneOperands], *common[kMostLaneOperands];
    T *result;

    template <class Product>
    __attribute__((always_inline))
    Entry(const Product &a, size_t messages, size_t shared, size_t o, size_t i, size_t column) {
      for (size_t m = 0; m < messages; ++m)
        message[m] =
            at(a.message[m].entries + (a.message[m].outer[o] + a.message[m].inner[i]) * kLanes,
               column * a.message[m].columnStride);
      for (size_t s = 0; s < shared; ++s)
        common[s] = at(a.common[s].entries + a.common[s].outer[o] + a.common[s].inner[i],
                       column * a.common[s].columnStride);
      result = at(a.result + (a.resultOuter[o] + a.resultInner[i]) * kLanes,
                  column * a.resultColumnStride);
    }

    /// To the n-th next entry of the row.
    template <class Product>
    __attribute__((always_inline)) void move(const Product &a, size_t messages, size_t shared,
                                             size_t n) {
      for (size_t m = 0; m < messages; ++m)
        message[m] = at(message[m], n * a.message[m].stride);
      for (size_t s = 0; s < shared; ++s)
        common[s] = at(common[s], n * a.common[s].stride);
      result = at(result, n * a.resultStride);
    }
  };

  /// Kinds of products, each a loop of its own. `Messages` and `Shared` are the numbers of
  /// operands, kMany: any. `IsSame`: the second of two messages has the same entry all along a row.
  template <bool IsMax, size_t Messages, size_t Shared, bool IsSame> struct Product {
    using A = Own<Messages, Shared>;
    static constexpr bool kHasColumns = Messages + Shared == 2 && Messages != 0;

    static size_t messages(const A &a) { return Messages == kMany ? a.messages : Messages; }
    static size_t shared(const A &a) { return Shared == kMany ? a.shared : Shared; }

    /// The terms r of N entries side by side, in each of C columns, for which the first message is
    /// the same.
    template <size_t N, size_t C>
    __attribute__((always_inline)) static void term(const A &a, const Entry &entry, size_t r,
                                                    Stretch (&product)[C][N]) {
      const T *const first = entry.message[0] + a.message[0].reduced[r] * kLanes;
      for (size_t n = 0; n < N; ++n) {
        product[0][n] = load(at(first, n * a.message[0].stride));
        for (size_t c = 1; c < C; ++c)
          product[c][n] = product[0][n];
      }
      for (size_t m = 1; m < messages(a); ++m) {
        const T *const p = entry.message[m] + a.message[m].reduced[r] * kLanes;
        const size_t step = IsSame ? 0 : a.message[m].stride;
        for (size_t c = 0; c < C; ++c)
          for (size_t n = 0; n < N; ++n)
            for (size_t v = 0; v < kVectors; ++v)
              product[c][n].v[v] *=
                  S::load(at(p, c * a.message[m].columnStride + n * step) + v * S::kWidth);
      }
      if (shared(a) == 0)
        return;
      for (size_t c = 0; c < C; ++c)
        for (size_t n = 0; n < N; ++n) {
          const auto entryOf = [&](size_t s) {
            const LaneOperand<T> &operand = a.common[s];
            return *at(entry.common[s] + operand.reduced[r],
                       c * operand.columnStride + n * operand.stride);
          };
          T factor = entryOf(0);
          for (size_t s = 1; s < shared(a); ++s)
            factor *= entryOf(s);
          const V all = S::broadcast(factor);
          for (size_t v = 0; v < kVectors; ++v)
            product[c][n].v[v] *= all;
        }
    }

    template <size_t N, size_t C>
    __attribute__((always_inline)) static void tile(const A &a, Entry &entry, Range &range) {
      Stretch total[C][N], product[C][N];
      term<N, C>(a, entry, 0, total);
      for (size_t r = 1; r < a.reduced; ++r) {
        term<N, C>(a, entry, r, product);
        for (size_t c = 0; c < C; ++c)
          for (size_t n = 0; n < N; ++n)
            for (size_t v = 0; v < kVectors; ++v)
              total[c][n].v[v] = IsMax ? S::max(total[c][n].v[v], product[c][n].v[v])
                                       : total[c][n].v[v] + product[c][n].v[v];
      }
      for (size_t c = 0; c < C; ++c)
        for (size_t n = 0; n < N; ++n)
          store(at(entry.result, c * a.resultColumnStride + n * a.resultStride), total[c][n]);
      if (a.range != nullptr)
        for (size_t c = 0; c < C; ++c)
          for (size_t n = 0; n < N; ++n)
            range.add(total[c][n]);
      entry.move(a, messages(a), shared(a), N);
    }

    template <size_t C>
    __attribute__((always_inline)) static void row(const A &a, Entry entry, Range &range) {
      size_t left = a.row;
      for (; left >= kTile; left -= kTile)
        tile<kTile, C>(a, entry, range);
      if constexpr (kTile > 2)
        if (left == 3)
          tile<3, C>(a, entry, range);
      if constexpr (kTile > 2)
        if (left == 2)
          tile<2, C>(a, entry, range);
      if (left == 1)
        tile<1, C>(a, entry, range);
    }

    static void run(const LaneProduct<T> &given, bool swaps) {
      const A a(given, swaps);
      Range range;
      for (size_t o = 0; o < a.outer; ++o)
        for (size_t i = 0; i < a.inner; ++i) {
          size_t column = 0;
          if constexpr (kHasColumns)
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

  template <bool IsMax, size_t Messages, bool IsSame>
  static void choose(const LaneProduct<T> &a, bool swaps) {
    switch (a.shared) {
    case 0:
      return Product<IsMax, Messages, 0, IsSame>::run(a, swaps);
    case 1:
      return Product<IsMax, Messages, 1, IsSame>::run(a, swaps);
    default:
      return Product<IsMax, Messages, kMany, IsSame>::run(a, swaps);
    }
  }

  /// Two messages may be multiplied in either order: a product of two numbers has the same bits.
  /// The one that is the same along a row is the second; of others, that which columns change.
  template <bool IsMax> static void runPair(const LaneProduct<T> &a) {
    const bool isSame = a.message[0].stride == 0 || a.message[1].stride == 0;
    const bool swaps = isSame ? a.message[1].stride != 0 : a.message[0].columnStride != 0;
    if (isSame)
      return choose<IsMax, 2, true>(a, swaps);
    choose<IsMax, 2, false>(a, swaps);
  }

  /// Where no operand differs by lane, all lanes have the same result.
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
            Stretch all;
            for (size_t v = 0; v < kVectors; ++v)
              all.v[v] = S::broadcast(total);
            store(entry.result, all);
            range.add(all);
            entry.move(a, 0, a.shared, 1);
          }
        }
    if (a.range != nullptr)
      range.store(*a.range);
  }

  template <bool IsMax> static void reduce(const LaneProduct<T> &a) {
    if (a.messages == 0)
      return runShared<IsMax>(a);
#ifdef MPF_ONE_LANE_LOOP
    Product<IsMax, kMany, kMany, false>::run(a, false);
#else
    switch (a.messages) {
    case 1:
      return choose<IsMax, 1, false>(a, false);
    case 2:
      return runPair<IsMax>(a);
    case 3:
      return choose<IsMax, 3, false>(a, false);
    default:
      return choose<IsMax, kMany, false>(a, false);
    }
#endif
  }

  static void measure(const T *message, size_t entries, StripRange<T> &to) {
    Range range;
    for (size_t e = 0; e < entries; ++e)
      range.add(load(message + e * kLanes));
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
      // Of a denormal number that is the greatest power of two; its lane leaves.
      const typename S::I wanted = (2 * kBias + a.target) - biased, most = none + 2 * kBias;
      // Biased, as exponents are.
      const typename S::I shift = isOutside ? (wanted > most ? most : wanted) : none + kBias;
      // Entries are normal: none is below the least normal number.
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
