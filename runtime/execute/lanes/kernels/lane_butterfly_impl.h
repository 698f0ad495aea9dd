// The inner loop of butterflies (strip_butterfly.h) for every instruction set. Everything has
// internal linkage, as in lane_kernels_impl.h.
#pragma once

#include "runtime/execute/lanes/kernels/lane_kernels_impl.h"
#include "runtime/execute/lanes/kernels/lane_products_impl.h"

#include <utility>

namespace mpf {

namespace {

/// `IsPlain`: no stage's table depends on the states of another stage, so that its four entries
/// serve the whole block.
template <class Of, class T, bool IsMax, size_t Stages, bool IsPlain> struct ButterflyLoop {
  using S = typename Of::S;
  using V = typename Of::V;
  static constexpr size_t kBlock = size_t{1} << Stages; ///< entries in registers
  static constexpr size_t kStretchBytes = Of::kLanes * sizeof(T);

  /// The distances of a block's entries from its first, in bytes; bit s of e is the state of stage
  /// s.
  struct Offsets {
    size_t bytes[kBlock];

    explicit Offsets(const uint64_t *strides) {
      for (size_t e = 0; e < kBlock; ++e) {
        bytes[e] = 0;
        for (size_t s = 0; s < Stages; ++s)
          bytes[e] += (e >> s & 1) * strides[s] * kStretchBytes;
      }
    }
  };

  static V add(V total, V term) { return IsMax ? S::max(total, term) : total + term; }

  /// Computes one stage. `table`: its entry for the block's first entry.
  template <size_t Stage>
  __attribute__((always_inline)) static void stage(V (&entry)[kBlock], const T *table,
                                                   const Offsets &offsets, size_t made) {
    constexpr size_t kBit = size_t{1} << Stage;
    const size_t replaced = offsets.bytes[kBit];
#pragma GCC unroll 8
    for (size_t e = 0; e < kBlock; ++e) {
      if ((e & kBit) != 0)
        continue;
      const T *const from = IsPlain ? table : bytesOn(table, offsets.bytes[e]);
      const V low = entry[e], high = entry[e | kBit];
      // This order lets the compiler fuse the addition with the second product.
      const V second0 = high * S::load(bytesOn(from, replaced));
      const V first0 = low * S::load(from);
      const V second1 = high * S::load(bytesOn(from, made + replaced));
      const V first1 = low * S::load(bytesOn(from, made));
      entry[e] = add(first0, second0);
      entry[e | kBit] = add(first1, second1);
    }
  }

  template <size_t... Stage>
  __attribute__((always_inline)) static void
  stages(V (&entry)[kBlock], const T *const (&tables)[Stages], const Offsets *offsets,
         const size_t *made, std::index_sequence<Stage...>) {
    (stage<Stage>(entry, tables[Stage], offsets[Stage], made[Stage]), ...);
  }

  template <size_t... Stage>
  static void run(const LaneButterfly<T> &given, std::index_sequence<Stage...> all) {
    const LaneButterfly<T> a = given; // a copy: stores cannot change it
    const Offsets input(a.input.strides), result(a.resultStrides);
    const Offsets offsets[Stages] = {Offsets(a.table[Stage].strides)...};
    const size_t made[Stages] = {a.table[Stage].madeStride * kStretchBytes...};
    typename Of::Range range;
    for (size_t o = 0; o < a.outer; ++o)
      for (size_t i = 0; i < a.inner; ++i) {
        const T *const from = a.input.entries + (a.input.outer[o] + a.input.inner[i]) * Of::kLanes;
        T *const to = a.result + (a.resultOuter[o] + a.resultInner[i]) * Of::kLanes;
        const T *const tables[Stages] = {a.table[Stage].entries +
                                         (a.table[Stage].outer[o] + a.table[Stage].inner[i]) *
                                             Of::kLanes...};
        for (size_t v = 0; v < Of::kVectors; ++v) {
          V entry[kBlock];
#pragma GCC unroll 8
          for (size_t e = 0; e < kBlock; ++e)
            entry[e] = S::load(bytesOn(from, input.bytes[e]) + v * S::kWidth);
          const T *const own[Stages] = {tables[Stage] + v * S::kWidth...};
          stages(entry, own, offsets, made, all);
#pragma GCC unroll 8
          for (size_t e = 0; e < kBlock; ++e)
            S::store(bytesOn(to, result.bytes[e]) + v * S::kWidth, entry[e]);
          if (a.range != nullptr)
#pragma GCC unroll 8
            for (size_t e = 0; e < kBlock; ++e)
              range.add(v, entry[e]);
        }
      }
    if (a.range != nullptr)
      range.store(*a.range);
  }

  static void run(const LaneButterfly<T> &a) { run(a, std::make_index_sequence<Stages>()); }
};

template <class Of, class T, bool IsMax> void runButterfly(const LaneButterfly<T> &a) {
  bool isPlain = true;
  for (size_t own = 0; own < a.stages; ++own)
    for (size_t s = 0; s < a.stages; ++s)
      isPlain &= s == own || a.table[own].strides[s] == 0;
  static_assert(kMostStages == 3);
  if (a.stages == 2)
    return isPlain ? ButterflyLoop<Of, T, IsMax, 2, true>::run(a)
                   : ButterflyLoop<Of, T, IsMax, 2, false>::run(a);
  return isPlain ? ButterflyLoop<Of, T, IsMax, 3, true>::run(a)
                 : ButterflyLoop<Of, T, IsMax, 3, false>::run(a);
}

} // namespace

} // namespace mpf
