// The inner loops of lanes on the CPU, for each instruction set and element type. A *strip* is the
// lanes that are computed together. An entry of a message is one stretch of memory with the values
// of all lanes of the strip: 256 bytes, or 64 for programs with large messages.
//
// Each instruction set is a separate translation unit, as in runtime/execute/cpu/cpu_kernels.h. All
// functions are pure. The program alone fixes the order of every sum, so all lanes and all
// instruction sets with fused multiply-adds agree.
#pragma once

#include "codegen/bundle/lanes/strip_bytes.h"

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

/// The magnitudes of a message, by lane.
template <class T> struct StripRange {
  using Bits = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;
  /// The most lanes of any strip.
  static constexpr size_t kMostLanes = kWideStripBytes / sizeof(T);
  Bits greatest[kMostLanes]; ///< the bits of the greatest magnitude, NaN above all others
  /// The bits of the least magnitude other than 0, less 1; the greatest number if there is none.
  Bits least[kMostLanes];
};

template <class T> struct LaneProduct {
  /// The result has outer * inner * columns * row entries.
  size_t outer = 1, inner = 1, columns = 1, row = 1;
  size_t reduced = 1;  ///< terms of each entry
  size_t messages = 0; ///< operands that differ by lane
  size_t shared = 0;   ///< operands that all lanes share
  /// The operands. Elements behind `messages` and `shared` are undefined, because clearing them
  /// takes as long as a small step.
  LaneOperand<T> message[kMostLaneOperands], common[kMostLaneOperands];
  T *result = nullptr; ///< stretches, addressed like an operand without terms
  const uint64_t *resultOuter = nullptr, *resultInner = nullptr;
  uint64_t resultColumnStride = 0, resultStride = 1;
  StripRange<T> *range = nullptr; ///< receives the range of the result; null: not needed
};

/// The most tables of a butterfly (strip_butterfly.h).
inline constexpr size_t kMostStages = 3;

/// A table of a butterfly: entry (o, i) of its passive digits is at outer[o] + inner[i], in
/// stretches, and strides[s] moves it by the state of stage s.
template <class T> struct ButterflyOperand {
  const T *entries = nullptr;
  const uint64_t *outer = nullptr, *inner = nullptr;
  uint64_t strides[kMostStages] = {};
  /// Stride of the state that its stage makes; `strides` has the replaced one.
  uint64_t madeStride = 0;
};

/// Products with tables of 2 x 2 entries, each over another digit, as one pass. Stage s replaces
/// digit s. All operands are messages.
template <class T> struct LaneButterfly {
  size_t outer = 1, inner = 1; ///< passive entries
  size_t stages = 0;           ///< 2 to kMostStages
  ButterflyOperand<T> input, table[kMostStages];
  T *result = nullptr;
  const uint64_t *resultOuter = nullptr, *resultInner = nullptr;
  uint64_t resultStrides[kMostStages] = {};
  StripRange<T> *range = nullptr; ///< as in LaneProduct
};

/// The picking of rows: result[e] of every lane = table[row + e], where row = sum over columns of
/// code * stride. Without a table the result is 1 if the row is e or `entries`, else 0.
template <class T> struct LaneRows {
  const T *table = nullptr;
  size_t entries = 0; ///< entries of a row
  size_t columns = 0;
  const std::byte *const *codes = nullptr; ///< by column: the code of the strip's first lane
  const uint64_t *strides = nullptr;       ///< by column
  unsigned codeBytes = 1;
  T *result = nullptr;
};

/// The rescaling of a message. A lane is rescaled unless all its entries other than 0 are in
/// [2^(target - orders), 2^(target + 1)); those of most messages of most models are.
///
/// Rescaling multiplies the entries by the power of two that brings the greatest magnitude into
/// [2^target, 2^(target + 1)), and adds the removed exponent to exponents[lane]. It sets left[lane]
/// |= 1 if an entry is more than `orders` binary orders below the power of two at or below the
/// greatest. It does so too if an entry is no number or nearly the type's greatest.
template <class T> struct LaneRescale {
  T *message = nullptr;
  size_t entries = 0;
  const StripRange<T> *range = nullptr; ///< range of these entries
  int target = 0, orders = 0;
  int32_t *exponents = nullptr; ///< by lane
  uint8_t *left = nullptr;      ///< by lane
};

/// The rows of answers of a strip's first lanes: row `lane` is to[lane * size + e] = entry e. If
/// `normalised`, it is the entry's share of the row's sum, or 0 if the sum is 0. left[lane] |= 1 if
/// the sum is no finite number. If `mayVanish`, it does so too if the share of an entry other than
/// 0 is no normal double.
template <class T> struct LaneAnswers {
  const T *entries = nullptr; ///< entries of a message
  /// Addresses of the `size` entries of an answer, in stretches.
  const uint64_t *addresses = nullptr;
  size_t size = 0;
  bool normalised = false, mayVanish = false;
  size_t count = 0; ///< lanes
  double *to = nullptr;
  uint8_t *left = nullptr;
};

/// The kernels for strips of one width.
template <class T> struct StripKernels {
  size_t lanes = 0;
  size_t vectorLanes = 0; ///< lanes of a vector register
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
  StripKernels<T> narrow;     ///< strips of kNarrowStripBytes
};

/// Returns the best kernels that this processor can run.
template <class T> const LaneKernels<T> &laneKernels();

extern const LaneKernels<double> kLaneBaselineF64, kLaneAvx2F64, kLaneAvx512F64;
extern const LaneKernels<float> kLaneBaselineF32, kLaneAvx2F32, kLaneAvx512F32;

} // namespace mpf
