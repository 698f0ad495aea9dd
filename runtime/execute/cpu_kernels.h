// The inner loops of the CPU executor, once per instruction set and element type.
//
// Each instruction set is its own translation unit with its own compiler flags (see
// CMakeLists.txt); cpuKernels() picks the best one that this processor has. Everything else of the
// executor is ordinary code. All functions are pure: no state, safe from any thread.
//
// Row functions take contiguous arrays of `n` elements, any alignment. The order of every sum is
// fixed by n and the instruction set alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace mpf {

/// (reduce, combine) on stored entries. Linear tables use the Times pairs, plain max-sum and
/// min-sum tables the Plus pairs.
enum class Algebra : uint8_t { SumTimes, MaxTimes, MinTimes, MaxPlus, MinPlus };
inline constexpr size_t kAlgebraCount = 5;

/// Least and greatest magnitude of the non-zero entries seen; least > greatest: none seen.
template <class T> struct AbsRange {
  T least = std::numeric_limits<T>::infinity();
  T greatest = 0;
};

/// One register tile: result(i, j) = reduce over k of a[k * tileRows + i] . b[k * tileColumns + j].
template <class T> struct TileArgs {
  size_t depth = 0;     ///< k: at least 1
  const T *a = nullptr; ///< packed, depth * tileRows entries
  const T *b = nullptr; ///< packed, depth * tileColumns entries
  T *result = nullptr;
  const uint64_t *rowOffsets = nullptr;    ///< of result entries, elements; `rows` of them
  const uint64_t *columnOffsets = nullptr; ///< `columns` of them
  size_t rows = 0;                         ///< valid ones, at most tileRows
  size_t columns = 0;
  bool contiguous = false; ///< columnOffsets[j] = columnOffsets[0] + j
  bool first = false;      ///< first slice of k: the result's old contents are ignored
  bool last = false;       ///< last slice: multiply by `factor`, record into `range`
  T factor = 1;
  AbsRange<T> *range = nullptr;
};

template <class T> struct CpuKernels {
  const char *name = nullptr; ///< "avx512", "avx2", "baseline"
  size_t tileRows = 0;
  size_t tileColumns = 0;
  void (*tile[kAlgebraCount])(const TileArgs<T> &) = {};

  /// out = a . b; out may be a or b.
  void (*combine[kAlgebraCount])(T *out, const T *a, const T *b, size_t n) = {};
  /// out = a . s
  void (*combineScalar[kAlgebraCount])(T *out, const T *a, T s, size_t n) = {};
  /// acc = reduce(acc, a . b)
  void (*accumulate[kAlgebraCount])(T *acc, const T *a, const T *b, size_t n) = {};
  /// acc = reduce(acc, a . s)
  void (*accumulateScalar[kAlgebraCount])(T *acc, const T *a, T s, size_t n) = {};
  /// reduce over i < n of rows[0][i] . rows[1][i] . ... (count >= 1, n >= 1)
  T (*dot[kAlgebraCount])(const T *const *rows, size_t count, size_t n) = {};
  /// reduce over all of a (n >= 1)
  T (*total[kAlgebraCount])(const T *a, size_t n) = {};

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

/// The best kernels this processor can run.
template <class T> const CpuKernels<T> &cpuKernels();

/// Every set that this processor can run, best first; for tests. `count` gets how many.
template <class T> const CpuKernels<T> *const *allCpuKernels(size_t &count);

} // namespace mpf
