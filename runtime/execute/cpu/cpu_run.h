// Runs one prepared operation on tables in memory, in one of the three ways of cpu_operation.h, in
// linear or log form.
//
// Every way writes each entry of the result exactly once and records the range of the entries. A
// call may compute only a part of the result; other threads may compute other parts. The bits of an
// entry do not depend on the parts.
#pragma once

#include "codegen/bundle/table_state.h"
#include "runtime/execute/cpu/cpu_operation.h"
#include "runtime/execute/cpu/row_permute.h"
#include "runtime/execute/host/zeroed_array.h"

namespace mpf {

template <class T>
inline constexpr ElementType kElementType = sizeof(T) == 4 ? ElementType::F32 : ElementType::F64;

/// The tables of one operation. If the operation runs in log form, an operand may still be linear;
/// it is converted while it is read.
template <class T> struct RunArgs {
  const CpuOperation *op = nullptr;
  const CpuKernels<T> *kernels = nullptr;
  std::array<const T *, kMaxBundleOperands> entries{};
  std::array<const int8_t *, kMaxBundleOperands> signs{}; ///< +1/-1 of log entries; null: all +
  std::array<bool, kMaxBundleOperands> isLog{};           ///< form of the operand
  std::array<TableState, kMaxBundleOperands> states{};    ///< ranges, in log form only
  T *result = nullptr;
  int8_t *resultSigns = nullptr; ///< log form of signed tables; null otherwise
  bool log = false;
  bool signedValues = false;
  int32_t shift = 0; ///< entries are multiplied by 2^-shift
};

/// The range of the entries written in one part. Linear: least and greatest magnitude of the
/// non-zero entries; log: least and greatest finite entry. least > greatest: all entries are zero.
template <class T> struct WrittenRange {
  T least = std::numeric_limits<T>::infinity();
  T greatest = -std::numeric_limits<T>::infinity();

  void add(T value) {
    least = value < least ? value : least;
    greatest = value > greatest ? value : greatest;
  }
  void merge(const WrittenRange &other) {
    least = other.least < least ? other.least : least;
    greatest = other.greatest > greatest ? other.greatest : greatest;
  }
};

/// Working memory of one thread, kept for the session.
template <class T> struct Scratch {
  static constexpr size_t kBlockRows = 16; ///< log form: rows whose maximum is found together

  explicit Scratch(bool tiles);

  ZeroedArray<T> accumulator, product, maximum, newMaximum, carry; ///< one row each
  ZeroedArray<T> loaded;                                           ///< one row per operand
  ZeroedArray<T> block;                                            ///< kBlockRows rows of terms
  ZeroedArray<T> signBlock;                                        ///< their signs
  ZeroedArray<uint64_t> patterns;                                  ///< row offsets, by slot
  std::vector<RowPermute<T>> picks;                                ///< by slot
  std::array<ZeroedArray<T>, kTileGroups> packed;
  ZeroedArray<T> panel;                             ///< log form: one panel of one operand
  ZeroedArray<T> neutral;                           ///< entries of a group without operands
  ZeroedArray<T> tile;                              ///< results that are not contiguous
  std::array<ZeroedArray<uint64_t>, 3> tileOffsets; ///< by slot: rows, columns, terms

  T *loadedRow(size_t slot) { return loaded.data() + slot * kCopiedTerms * kRowElems; }
  uint64_t *pattern(size_t slot) { return patterns.data() + slot * kRowElems; }
};

template <class T> void runEntries(const RunArgs<T> &args, WrittenRange<T> &range);

/// Computes outer addresses [begin, end) of the row shape.
template <class T>
void runRows(const RunArgs<T> &args, uint64_t begin, uint64_t end, Scratch<T> &scratch,
             WrittenRange<T> &range);
template <class T>
void runLogRows(const RunArgs<T> &args, uint64_t begin, uint64_t end, Scratch<T> &scratch,
                WrittenRange<T> &range);

/// Computes pages [begin, end) of the tile shape.
template <class T>
void runTiles(const RunArgs<T> &args, uint64_t begin, uint64_t end, Scratch<T> &scratch,
              WrittenRange<T> &range);

/// True if tiles can run this operation in log form. Operands must be unsigned. For a sum, the
/// operands' ranges must also make most results sums of mantissas (scaled_log_sum.h).
template <class T> bool tilesRunLogs(const RunArgs<T> &args);

} // namespace mpf
