// Picks rows of tables by the codes of lanes, for every instruction set. Everything has internal
// linkage, as in lane_kernels_impl.h.
#pragma once

#include "runtime/execute/lanes/kernels/lane_kernels_impl.h"

namespace mpf {

namespace {

template <class Of, class T> struct PickedRows {
  using S = typename Of::S;
  static constexpr size_t kLanes = Of::kLanes, kVectors = Of::kVectors, kWidth = S::kWidth;

  /// The begins of the lanes' rows, as explicit vectors: the compiler does not vectorise a loop
  /// over codes of one byte.
  struct Rows {
    typedef uint64_t V __attribute__((vector_size(kWidth * sizeof(uint64_t))));
    V at[kVectors];
  };

  template <class Code> static Rows rowsOf(const LaneRows<T> &a) {
    typedef Code Codes __attribute__((vector_size(kWidth * sizeof(Code))));
    Rows rows = {};
    for (size_t c = 0; c < a.columns; ++c)
      for (size_t i = 0; i < kVectors; ++i) {
        Codes codes;
        __builtin_memcpy(&codes, a.codes[c] + i * sizeof codes, sizeof codes);
        rows.at[i] += __builtin_convertvector(codes, typename Rows::V) * a.strides[c];
      }
    return rows;
  }

  static Rows rowsOf(const LaneRows<T> &a) {
    switch (a.codeBytes) {
    case 1:
      return rowsOf<uint8_t>(a);
    case 2:
      return rowsOf<uint16_t>(a);
    default:
      return rowsOf<uint32_t>(a);
    }
  }

  static void allowed(const LaneRows<T> &a, const Rows &rows) {
    using Integer = typename S::Integer;
    typename S::I own[kVectors], all[kVectors];
    const typename S::I one = S::bits(S::broadcast(1)), none = one - one;
    for (size_t i = 0; i < kVectors; ++i) {
      own[i] = __builtin_convertvector(rows.at[i], typename S::I);
      all[i] = own[i] == none + static_cast<Integer>(a.entries);
    }
    for (size_t e = 0; e < a.entries; ++e)
      for (size_t i = 0; i < kVectors; ++i) {
        const typename S::I isOwn = own[i] == none + static_cast<Integer>(e);
        S::store(a.result + e * kLanes + i * kWidth, S::fromBits((isOwn | all[i]) & one));
      }
  }

  /// Picks N entries of each row, from `first` on.
  template <size_t N>
  static void pick(const LaneRows<T> &a, const uint64_t (&rows)[kLanes], size_t first) {
    const T *const table = a.table + first;
    T *const result = a.result + first * kLanes;
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const T *const from = table + rows[lane];
      T entries[N];
      __builtin_memcpy(entries, from, sizeof entries);
      for (size_t n = 0; n < N; ++n)
        result[n * kLanes + lane] = entries[n];
    }
  }

  static void run(const LaneRows<T> &a) {
    const Rows found = rowsOf(a);
    if (a.table == nullptr)
      return allowed(a, found);
    uint64_t rows[kLanes];
    static_assert(sizeof rows == sizeof found.at);
    __builtin_memcpy(rows, found.at, sizeof rows);
    size_t e = 0;
    for (; e + 4 <= a.entries; e += 4)
      pick<4>(a, rows, e);
    if (a.entries - e == 3)
      pick<3>(a, rows, e);
    else if (a.entries - e == 2)
      pick<2>(a, rows, e);
    else if (a.entries - e == 1)
      pick<1>(a, rows, e);
  }
};

} // namespace

} // namespace mpf
