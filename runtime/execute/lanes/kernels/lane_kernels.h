// The inner loops of lanes on the CPU, for each instruction set and element type. A *strip* is a
// number of lanes that are computed together: an entry of a message is one stretch of memory with
// the values of all lanes of the strip, 256 bytes, or 64 for programs with large messages.
//
// Each instruction set is its own translation unit, as in runtime/execute/cpu/cpu_kernels.h. All
// functions are pure. The order of every sum is fixed by the program alone: the same in every lane
// and for every instruction set with fused multiply-adds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace mpf {

/// An operand of a lane operation: its entry for entry (o, i, c, j) of the result and term r is at
/// outer[o] + inner[i] + c * columnStride + j * stride + reduced[r], in entries (of messages: in
/// stretches).
template <class T> struct LaneOperand {
  const T *entries;
  const uint64_t *outer, *inner, *reduced;
  uint64_t columnStride, stride;
};

inline constexpr size_t kMostLaneOperands = 8;
/// Of an entry of a message in a strip.
inline constexpr size_t kWideStripBytes = 256, kNarrowStripBytes = 64;

/// The magnitudes of a message, by lane.
template <class T> struct StripRange {
  using Bits = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;
  /// Room for the lanes of any strip.
  static constexpr size_t kMostLanes = kWideStripBytes / sizeof(T);
  Bits greatest[kMostLanes]; ///< the bits of the greatest magnitude, NaN above all others
  /// The bits of the least magnitude other than 0, less 1; the greatest number where there is none.
  Bits least[kMostLanes];
};

template <class T> struct LaneProduct {
  /// The result has outer * inner * columns * row entries.
  size_t outer = 1, inner = 1, columns = 1, row = 1;
  size_t reduced = 1;  ///< terms of each
  size_t messages = 0; ///< operands that differ by lane
  size_t shared = 0;   ///< operands that all lanes share
  /// Those behind `messages` and `shared` hold nothing: to clear them takes as long as a small
  /// step.
  LaneOperand<T> message[kMostLaneOperands], common[kMostLaneOperands];
  T *result = nullptr; ///< stretches, at the addresses of an operand without terms
  const uint64_t *resultOuter = nullptr, *resultInner = nullptr;
  uint64_t resultColumnStride = 0, resultStride = 1;
  StripRange<T> *range = nullptr; ///< where that of the result goes; null: nobody asks
};

/// The most tables of a butterfly (strip_butterfly.h).
inline constexpr size_t kMostStages = 3;

/// A table of a butterfly: entry (o, i) of its passive digits is at outer[o] + inner[i], in
/// stretches, and strides[s] moves it by the state of stage s.
template <class T> struct ButterflyOperand {
  const T *entries = nullptr;
  const uint64_t *outer = nullptr, *inner = nullptr;
  uint64_t strides[kMostStages] = {};
  uint64_t madeStride = 0; ///< by the state that its own stage makes; strides: by that it replaces
};

/// Products with tables of 2 x 2 entries, each over another digit, as one pass: stage s replaces
/// digit s. All operands are messages.
template <class T> struct LaneButterfly {
  size_t outer = 1, inner = 1; ///< passive entries
  size_t stages = 0;           ///< 2 to kMostStages
  ButterflyOperand<T> input, table[kMostStages];
  T *result = nullptr;
  const uint64_t *resultOuter = nullptr, *resultInner = nullptr;
  uint64_t resultStrides[kMostStages] = {};
  StripRange<T> *range = nullptr; ///< as LaneProduct
};

/// result[e] of every lane = table[row + e], row = sum over columns of code * stride. Without a
/// table: 1 where the row is e, or is `entries`, else 0.
template <class T> struct LaneRows {
  const T *table = nullptr;
  size_t entries = 0; ///< of a row
  size_t columns = 0;
  const std::byte *const *codes = nullptr; ///< by column: those of the first lane of the strip
  const uint64_t *strides = nullptr;       ///< by column
  unsigned codeBytes = 1;
  T *result = nullptr;
};

/// Brings the entries of each lane other than 0 into [2^(target - orders), 2^(target + 1)). Where
/// they are not, multiplies them by the power of two that brings the greatest magnitude into
/// [2^target, 2^(target + 1)), and adds what it took away to exponents[lane]; left[lane] |= 1 where
/// one is more than `orders` binary orders below the power of two at or below the greatest, or that
/// is no number or nearly the type's greatest. Entries of most messages of most models are within,
/// and need not be touched again.
template <class T> struct LaneRescale {
  T *message = nullptr;
  size_t entries = 0;
  const StripRange<T> *range = nullptr; ///< of these entries
  int target = 0, orders = 0;
  int32_t *exponents = nullptr; ///< by lane
  uint8_t *left = nullptr;      ///< by lane
};

/// The rows of answers of a strip's first lanes: row `lane` is to[lane * size + e] = entry e, or
/// its share of the row's sum where that is asked for, 0 where the sum is 0. left[lane] |= 1 where
/// the sum is no finite number.
template <class T> struct LaneAnswers {
  const T *entries = nullptr;          ///< of a message
  const uint64_t *addresses = nullptr; ///< of the `size` entries of an answer, in stretches
  size_t size = 0;
  bool normalised = false;
  size_t count = 0; ///< lanes
  double *to = nullptr;
  uint8_t *left = nullptr;
};

/// For strips of one width.
template <class T> struct StripKernels {
  size_t lanes = 0;
  size_t vectorLanes = 0; ///< of a vector register
  void (*sum)(const LaneProduct<T> &) = nullptr;
  void (*max)(const LaneProduct<T> &) = nullptr;
  void (*sumButterfly)(const LaneButterfly<T> &) = nullptr;
  void (*maxButterfly)(const LaneButterfly<T> &) = nullptr;
  void (*rows)(const LaneRows<T> &) = nullptr;
  void (*measure)(const T *message, size_t entries, StripRange<T> &) = nullptr;
  void (*rescale)(const LaneRescale<T> &) = nullptr;
  void (*answers)(const LaneAnswers<T> &) = nullptr;
};

template <class T> struct LaneKernels {
  const char *name = nullptr; ///< as CpuKernels::name
  StripKernels<T> wide;       ///< strips of kWideStripBytes
  StripKernels<T> narrow;     ///< of kNarrowStripBytes
};

/// The best kernels that this processor can run.
template <class T> const LaneKernels<T> &laneKernels();

extern const LaneKernels<double> kLaneBaselineF64, kLaneAvx2F64, kLaneAvx512F64;
extern const LaneKernels<float> kLaneBaselineF32, kLaneAvx2F32, kLaneAvx512F32;

} // namespace mpf
