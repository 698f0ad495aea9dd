// The inner loops of the CPU executor (built-in kernels), for each instruction set and element
// type.
//
// Each instruction set is a separate translation unit with separate compiler flags (see
// CMakeLists.txt); cpuKernels() returns the best one that this processor has. The rest of the
// executor is ordinary code. All functions are pure: no state, safe from any thread.
//
// Row functions take contiguous arrays of `n` elements, with any alignment. n and the instruction
// set alone determine the order of every sum.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace mpf {

/// (reduce, combine) on stored entries. Linear tables use the Times pairs, plain max-sum and
/// min-sum tables the Plus pairs.
enum class StoredSemiring : uint8_t { SumTimes, MaxTimes, MinTimes, MaxPlus, MinPlus };
inline constexpr size_t kStoredSemirings = 5;

/// Least and greatest magnitude of the recorded non-zero entries; least > greatest: none.
template <class T> struct AbsRange {
  T least = std::numeric_limits<T>::infinity();
  T greatest = 0;
};

/// An AbsRange for each lane of a vector. Tiles record it; the lanes are merged once at the end.
template <class T> struct LaneRange {
  static constexpr size_t kLanes = 64 / sizeof(T); ///< lanes of the widest vectors
  std::array<T, kLanes> least, greatest;

  LaneRange() {
    least.fill(AbsRange<T>{}.least);
    greatest.fill(AbsRange<T>{}.greatest);
  }
  AbsRange<T> total() const {
    AbsRange<T> range;
    for (size_t i = 0; i < kLanes; ++i) {
      range.least = least[i] < range.least ? least[i] : range.least;
      range.greatest = greatest[i] > range.greatest ? greatest[i] : range.greatest;
    }
    return range;
  }
};

/// Heights of the register tiles, ascending. An instruction set has those up to its tileRows.
inline constexpr std::array<size_t, 7> kTileHeights{1, 2, 3, 4, 6, 8, 12};
inline constexpr size_t kFaceRows = 4; ///< the tallest tile with faces, in every set

/// One register tile: result(i, j) = reduce over k of a(k, i) . b(k, j) [. c(i, k, j)].
template <class T> struct TileArgs {
  size_t depth = 0;     ///< k: at least 1
  const T *a = nullptr; ///< a(k, i) at k * aStep + i, for all i below the tile's height
  const T *b = nullptr; ///< b(k, j) at k * bStep + j, for all j below tileColumns
  size_t aStep = 0, bStep = 0;
  const T *c = nullptr;            ///< faceTile only: c(i, k, j) at cRows[i] + k * cStep + j
  const uint64_t *cRows = nullptr; ///< faceTile only: one offset per row
  size_t cStep = 0;
  T *result = nullptr;                  ///< (i, j) at rowOffsets[i] + j
  const uint64_t *rowOffsets = nullptr; ///< `rows` offsets
  size_t rows = 0;                      ///< valid rows, at most the tile's height
  size_t columns = 0;                   ///< at most tileColumns
  bool first = false;                   ///< first slice of k: the result's contents are ignored
  bool last = false;                    ///< last slice: multiply by `factor`, record into `range`
  T factor = 1;
  LaneRange<T> *range = nullptr;
};

enum class PackMode : uint8_t { Copy, Multiply, Add }; ///< how entries change a panel
inline constexpr size_t kPackModeCount = 3;

/// Part of a panel: entry (k, i) at panel[k * width + i] is from[deep[k] + along[i]].
template <class T> struct PackArgs {
  const T *from = nullptr;
  const uint64_t *along = nullptr; ///< `valid` offsets
  const uint64_t *deep = nullptr;  ///< `depth` offsets
  size_t valid = 0, width = 0, depth = 0;
  T *panel = nullptr;
};

inline constexpr size_t kPackSteps = 4; ///< greatest step of along[] with special loops

template <class T> struct PackKernels {
  /// Loops by step, for along[i] = along[0] + i * step, as in messages of variables with few
  /// states. Step 0: one entry for all i.
  void (*along[kPackSteps + 1][kPackModeCount])(const PackArgs<T> &) = {};
  /// Loops for deep[k] = deep[0] + k.
  void (*across[kPackModeCount])(const PackArgs<T> &) = {};
};

/// The number of a lane, an integer as wide as the lane.
template <class T> using PickLane = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;

/// to[i] = from[starts[i / W] + lanes[i]] for i < n, W = pickLanes, lanes below 2 W.
template <class T> struct PickArgs {
  const T *from = nullptr;
  size_t readable = 0;                ///< entries of `from`; no memory behind them is touched
  const uint64_t *starts = nullptr;   ///< one per vector
  const PickLane<T> *lanes = nullptr; ///< one per lane, for whole vectors
  bool even = false;                  ///< all vectors use the lanes of the first
  size_t lanesReach = 0;              ///< one more than the greatest lane
  size_t n = 0;
  T *to = nullptr;
};

template <class T> struct CpuKernels {
  const char *name = nullptr; ///< "avx512", "avx2", "baseline"
  size_t tileRows = 0;        ///< rows of the tallest tile
  size_t tileColumns = 0;
  /// Tiles by semiring and index in kTileHeights; null above tileRows (tile) or kFaceRows
  /// (faceTile).
  void (*tile[kStoredSemirings][kTileHeights.size()])(const TileArgs<T> &) = {};
  void (*faceTile[kStoredSemirings][kTileHeights.size()])(const TileArgs<T> &) = {};
  PackKernels<T> pack;
  size_t pickLanes = 0; ///< 0: `pick` is null
  void (*pick)(const PickArgs<T> &) = nullptr;

  /// out = a . b; out may be a or b.
  void (*combine[kStoredSemirings])(T *out, const T *a, const T *b, size_t n) = {};
  /// out = a . s
  void (*combineScalar[kStoredSemirings])(T *out, const T *a, T s, size_t n) = {};
  /// acc = reduce(acc, a . b)
  void (*accumulate[kStoredSemirings])(T *acc, const T *a, const T *b, size_t n) = {};
  /// acc = reduce(acc, a . s)
  void (*accumulateScalar[kStoredSemirings])(T *acc, const T *a, T s, size_t n) = {};
  /// reduce over i < n of rows[0][i] . rows[1][i] . ... (count >= 1, n >= 1)
  T (*dot[kStoredSemirings])(const T *const *rows, size_t count, size_t n) = {};
  /// reduce over all of a (n >= 1)
  T (*total[kStoredSemirings])(const T *a, size_t n) = {};

  /// out = a * factor, recording magnitudes; out may be a.
  void (*finish)(T *out, const T *a, T factor, size_t n, AbsRange<T> *range) = nullptr;

  /// out = log2 |a| (-infinity for 0), error at most 2 ulp of max(1, |result|)
  void (*log2Abs)(T *out, const T *a, size_t n) = nullptr;
  /// out = 2^(a - shift): 0 below the normal range; a - shift at most maxExponent - 1
  void (*exp2Shifted)(T *out, const T *a, T shift, size_t n) = nullptr;
  /// sum += 2^(a - max) per entry, 0 where a is -infinity. Each a - max at most maxExponent - 1.
  void (*sumExp2)(T *sum, const T *a, const T *max, size_t n) = nullptr;
  /// sum += sign * 2^(a - max); signs are +1 or -1
  void (*sumSignedExp2)(T *sum, const T *a, const T *max, const T *signs, size_t n) = nullptr;
};

/// Returns the best kernels that this processor can run.
template <class T> const CpuKernels<T> &cpuKernels();

/// Returns all sets that this processor can run, best first, for tests. Sets `count` to their
/// number.
template <class T> const CpuKernels<T> *const *allCpuKernels(size_t &count);

} // namespace mpf
