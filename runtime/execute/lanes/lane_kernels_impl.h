// One text of the lanes' inner loops for every instruction set. Internal linkage on purpose, as in
// runtime/execute/cpu/simd.h.
#pragma once

#include "runtime/execute/cpu/simd.h"
#include "runtime/execute/lanes/lane_kernels.h"

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

  /// The product of all operands but the first message, for one address.
  template <size_t Messages, size_t Shared>
  static void multiply(const LaneProduct<T> &a, size_t k, size_t r, Stretch &product) {
    const size_t messages = Messages <= 2 ? Messages : a.messages;
    for (size_t m = 1; m < messages; ++m) {
      const T *p = a.message[m].entries + (a.message[m].kept[k] + a.message[m].reduced[r]) * kLanes;
      for (size_t i = 0; i < kVectors; ++i)
        product.v[i] *= S::load(p + i * S::kWidth);
    }
    const size_t shared = Shared <= 1 ? Shared : a.shared;
    if (shared == 0)
      return;
    T factor = a.common[0].entries[a.common[0].kept[k] + a.common[0].reduced[r]];
    for (size_t s = 1; s < shared; ++s)
      factor *= a.common[s].entries[a.common[s].kept[k] + a.common[s].reduced[r]];
    const V all = S::broadcast(factor);
    for (size_t i = 0; i < kVectors; ++i)
      product.v[i] *= all;
  }

  template <size_t Messages, size_t Shared>
  static Stretch term(const LaneProduct<T> &a, size_t k, size_t r) {
    Stretch product =
        load(a.message[0].entries + (a.message[0].kept[k] + a.message[0].reduced[r]) * kLanes);
    multiply<Messages, Shared>(a, k, r, product);
    return product;
  }

  template <bool IsMax, size_t Messages, size_t Shared> static void run(const LaneProduct<T> &a) {
    for (size_t k = 0; k < a.kept; ++k) {
      Stretch total = term<Messages, Shared>(a, k, 0);
      for (size_t r = 1; r < a.reduced; ++r) {
        const Stretch product = term<Messages, Shared>(a, k, r);
        for (size_t i = 0; i < kVectors; ++i)
          total.v[i] = IsMax ? S::max(total.v[i], product.v[i]) : total.v[i] + product.v[i];
      }
      store(a.result + k * kLanes, total);
    }
  }

  template <bool IsMax, size_t Messages> static void choose(const LaneProduct<T> &a) {
    switch (a.shared) {
    case 0:
      return run<IsMax, Messages, 0>(a);
    case 1:
      return run<IsMax, Messages, 1>(a);
    default:
      return run<IsMax, Messages, 2>(a);
    }
  }

  /// Where no operand differs by lane, all lanes have the same result.
  template <bool IsMax> static void runShared(const LaneProduct<T> &a) {
    for (size_t k = 0; k < a.kept; ++k) {
      T total = 0;
      for (size_t r = 0; r < a.reduced; ++r) {
        T product = 1;
        for (size_t s = 0; s < a.shared; ++s)
          product *= a.common[s].entries[a.common[s].kept[k] + a.common[s].reduced[r]];
        total = r == 0 ? product : IsMax ? (total < product ? product : total) : total + product;
      }
      Stretch all;
      for (size_t i = 0; i < kVectors; ++i)
        all.v[i] = S::broadcast(total);
      store(a.result + k * kLanes, all);
    }
  }

  template <bool IsMax> static void reduce(const LaneProduct<T> &a) {
    switch (a.messages) {
    case 0:
      return runShared<IsMax>(a);
    case 1:
      return choose<IsMax, 1>(a);
    case 2:
      return choose<IsMax, 2>(a);
    default:
      return choose<IsMax, 3>(a);
    }
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
