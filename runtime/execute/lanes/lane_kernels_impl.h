// One text of the lanes' inner loops for every instruction set. Internal linkage on purpose, as in
// runtime/execute/cpu/simd.h.
#pragma once

#include "runtime/execute/cpu/simd.h"
#include "runtime/execute/lanes/lane_kernels.h"

#include <utility>

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

  /// Entries of a row of the result that are computed together, so that their sums do not wait for
  /// each other: as many as vector registers hold.
  static constexpr size_t kTile = kVectors >= 8 ? 1 : kVectors >= 4 ? 2 : 4;

  /// Where the operands of an entry of the result start.
  struct Entry {
    const T *message[kMostLaneOperands], *common[kMostLaneOperands];
    T *result;

    __attribute__((always_inline))
    Entry(const LaneProduct<T> &a, size_t messages, size_t shared, size_t o, size_t i) {
      for (size_t m = 0; m < messages; ++m)
        message[m] =
            a.message[m].entries + (a.message[m].outer[o] + a.message[m].inner[i]) * kLanes;
      for (size_t s = 0; s < shared; ++s)
        common[s] = a.common[s].entries + a.common[s].outer[o] + a.common[s].inner[i];
      result = a.result + (a.resultOuter[o] + a.resultInner[i]) * kLanes;
    }

    /// To the n-th next entry of the row.
    __attribute__((always_inline)) void move(const LaneProduct<T> &a, size_t messages,
                                             size_t shared, size_t n) {
      for (size_t m = 0; m < messages; ++m)
        message[m] += n * a.message[m].stride * kLanes;
      for (size_t s = 0; s < shared; ++s)
        common[s] += n * a.common[s].stride;
      result += n * a.resultStride * kLanes;
    }
  };

  /// Kinds of products, each a loop of its own. `Messages` and `Shared` are the numbers of
  /// operands, kMany: any. `IsSame`: the second of two messages has the same entry all along a row.
  static constexpr size_t kMany = kMostLaneOperands;
  template <bool IsMax, size_t Messages, size_t Shared, bool IsSame> struct Product {
    static size_t messages(const LaneProduct<T> &a) {
      return Messages == kMany ? a.messages : Messages;
    }
    static size_t shared(const LaneProduct<T> &a) { return Shared == kMany ? a.shared : Shared; }

    /// The terms r of N entries side by side.
    template <size_t N>
    __attribute__((always_inline)) static void term(const LaneProduct<T> &a, const Entry &entry,
                                                    size_t r, Stretch (&product)[N]) {
      const T *const first = entry.message[0] + a.message[0].reduced[r] * kLanes;
      for (size_t n = 0; n < N; ++n)
        product[n] = load(first + n * a.message[0].stride * kLanes);
      for (size_t m = 1; m < messages(a); ++m) {
        const T *const p = entry.message[m] + a.message[m].reduced[r] * kLanes;
        const size_t step = IsSame ? 0 : a.message[m].stride * kLanes;
        for (size_t n = 0; n < N; ++n)
          for (size_t v = 0; v < kVectors; ++v)
            product[n].v[v] *= S::load(p + n * step + v * S::kWidth);
      }
      if (shared(a) == 0)
        return;
      for (size_t n = 0; n < N; ++n) {
        T factor = entry.common[0][a.common[0].reduced[r] + n * a.common[0].stride];
        for (size_t s = 1; s < shared(a); ++s)
          factor *= entry.common[s][a.common[s].reduced[r] + n * a.common[s].stride];
        const V all = S::broadcast(factor);
        for (size_t v = 0; v < kVectors; ++v)
          product[n].v[v] *= all;
      }
    }

    template <size_t N>
    __attribute__((always_inline)) static void tile(const LaneProduct<T> &a, Entry &entry) {
      Stretch total[N], product[N];
      term<N>(a, entry, 0, total);
      for (size_t r = 1; r < a.reduced; ++r) {
        term<N>(a, entry, r, product);
        for (size_t n = 0; n < N; ++n)
          for (size_t v = 0; v < kVectors; ++v)
            total[n].v[v] =
                IsMax ? S::max(total[n].v[v], product[n].v[v]) : total[n].v[v] + product[n].v[v];
      }
      for (size_t n = 0; n < N; ++n)
        store(entry.result + n * a.resultStride * kLanes, total[n]);
      entry.move(a, messages(a), shared(a), N);
    }

    static void run(const LaneProduct<T> &given) {
      const LaneProduct<T> a = given; // stores cannot change it
      for (size_t o = 0; o < a.outer; ++o)
        for (size_t i = 0; i < a.inner; ++i) {
          Entry entry(a, messages(a), shared(a), o, i);
          size_t left = a.row;
          for (; left >= kTile; left -= kTile)
            tile<kTile>(a, entry);
          if constexpr (kTile > 2)
            if (left == 3)
              tile<3>(a, entry);
          if constexpr (kTile > 2)
            if (left == 2)
              tile<2>(a, entry);
          if (left == 1)
            tile<1>(a, entry);
        }
    }
  };

  template <bool IsMax, size_t Messages, bool IsSame> static void choose(const LaneProduct<T> &a) {
    switch (a.shared) {
    case 0:
      return Product<IsMax, Messages, 0, IsSame>::run(a);
    case 1:
      return Product<IsMax, Messages, 1, IsSame>::run(a);
    default:
      return Product<IsMax, Messages, kMany, IsSame>::run(a);
    }
  }

  /// Two messages may be multiplied in either order: a product of two numbers has the same bits.
  template <bool IsMax> static void runPair(const LaneProduct<T> &a) {
    if (a.message[0].stride != 0 && a.message[1].stride != 0)
      return choose<IsMax, 2, false>(a);
    LaneProduct<T> ordered = a;
    if (a.message[0].stride == 0)
      std::swap(ordered.message[0], ordered.message[1]);
    choose<IsMax, 2, true>(ordered);
  }

  /// Where no operand differs by lane, all lanes have the same result.
  template <bool IsMax> static void runShared(const LaneProduct<T> &a) {
    for (size_t o = 0; o < a.outer; ++o)
      for (size_t i = 0; i < a.inner; ++i) {
        Entry entry(a, 0, a.shared, o, i);
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
          entry.move(a, 0, a.shared, 1);
        }
      }
  }

  template <bool IsMax> static void reduce(const LaneProduct<T> &a) {
    if (a.messages == 0)
      return runShared<IsMax>(a);
#ifdef MPF_ONE_LANE_LOOP
    Product<IsMax, kMany, kMany, false>::run(a);
#else
    switch (a.messages) {
    case 1:
      return choose<IsMax, 1, false>(a);
    case 2:
      return runPair<IsMax>(a);
    case 3:
      return choose<IsMax, 3, false>(a);
    default:
      return choose<IsMax, kMany, false>(a);
    }
#endif
  }

  template <class Code> static void addRows(const LaneRows<T> &a, uint64_t *rows) {
    for (size_t c = 0; c < a.columns; ++c) {
      const uint64_t stride = a.strides[c];
      for (size_t lane = 0; lane < kLanes; ++lane) {
        Code code;
        __builtin_memcpy(&code, a.codes[c] + lane * sizeof(Code), sizeof(Code));
        rows[lane] += code * stride;
      }
    }
  }

  static void allowed(const LaneRows<T> &a, const uint64_t *rows) {
    using Integer = typename S::Integer;
    typename S::I own[kVectors], all[kVectors];
    const typename S::I one = S::bits(S::broadcast(1)), none = one - one;
    for (size_t i = 0; i < kVectors; ++i) {
      for (size_t lane = 0; lane < S::kWidth; ++lane)
        own[i][lane] = static_cast<Integer>(rows[i * S::kWidth + lane]);
      all[i] = own[i] == none + static_cast<Integer>(a.entries);
    }
    for (size_t e = 0; e < a.entries; ++e)
      for (size_t i = 0; i < kVectors; ++i) {
        const typename S::I isOwn = own[i] == none + static_cast<Integer>(e);
        S::store(a.result + e * kLanes + i * S::kWidth, S::fromBits((isOwn | all[i]) & one));
      }
  }

  static void rows(const LaneRows<T> &a) {
    uint64_t rows[kLanes] = {};
    switch (a.codeBytes) {
    case 1:
      addRows<uint8_t>(a, rows);
      break;
    case 2:
      addRows<uint16_t>(a, rows);
      break;
    default:
      addRows<uint32_t>(a, rows);
    }
    if (a.table == nullptr)
      return allowed(a, rows);
    for (size_t e = 0; e < a.entries; ++e)
      for (size_t lane = 0; lane < kLanes; ++lane)
        a.result[e * kLanes + lane] = a.table[rows[lane] + e];
  }

  static void rescale(const LaneRescale<T> &a) {
    using F = FloatTraits<T>;
    using Integer = typename S::Integer;
    constexpr Integer kBias = F::kBias;
    typename S::I found[kVectors] = {};
    for (size_t i = 0; i < kVectors; ++i) {
      T *const message = a.message + i * S::kWidth;
      V greatest = S::broadcast(0);
      for (size_t e = 0; e < a.entries; ++e) {
        const V entry = S::abs(S::load(message + e * kLanes));
        greatest = greatest > entry ? greatest : entry; // NaN stays out: it is found below
        found[i] |= ~(entry == entry);
      }
      const typename S::I biased = S::bits(greatest) >> F::kMantissaBits;
      found[i] |= biased >= (Integer{2} * kBias - 1);
      // 0 gives the greatest power of two, by which nothing changes.
      const typename S::I none = biased - biased;
      const typename S::I wanted = (2 * kBias + a.target) - biased, most = none + 2 * kBias;
      const typename S::I shift = wanted > most ? most : wanted; // biased, as exponents are
      const V factor = S::fromBits(shift << F::kMantissaBits);
      // Entries are normal: none is below the least normal number.
      const typename S::I lowest = biased - a.orders, least = none + 1;
      const V floor = S::fromBits((lowest > least ? lowest : least) << F::kMantissaBits);
      for (size_t e = 0; e < a.entries; ++e) {
        const V entry = S::load(message + e * kLanes);
        S::store(message + e * kLanes, entry * factor);
        found[i] |= (S::abs(entry) < floor) & ~(entry == S::broadcast(0));
      }
      for (size_t lane = 0; lane < S::kWidth; ++lane) {
        a.exponents[i * S::kWidth + lane] += static_cast<int32_t>(kBias - shift[lane]);
        a.left[i * S::kWidth + lane] |= found[i][lane] != 0 ? 1 : 0;
      }
    }
  }

  static constexpr StripKernels<T> kernels() {
    return {kLanes, reduce<false>, reduce<true>, rows, rescale};
  }
};

template <class T, size_t VectorBytes> constexpr LaneKernels<T> makeLaneKernels(const char *name) {
  return {name, Strip<T, kWideStripBytes, VectorBytes>::kernels(),
          Strip<T, kNarrowStripBytes,
                (VectorBytes < kNarrowStripBytes ? VectorBytes : kNarrowStripBytes)>::kernels()};
}

} // namespace

} // namespace mpf
