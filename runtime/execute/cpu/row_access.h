// Reads and writes one row of a table with any strides.
#pragma once

#include "runtime/execute/cpu/cpu_run.h"

namespace mpf {

/// Fills the offset tables of the slots that need one, and finds the slots whose rows can be picked
/// (row_permute.h).
template <class T> void fillPatterns(const RunArgs<T> &args, Scratch<T> &scratch) {
  const CpuOperation &op = *args.op;
  for (size_t s = 0; s < op.slotCount(); ++s)
    if (op.rows->slots[s].access == RowAccess::Gathered) {
      fillOffsets(op.rows->row, s, scratch.pattern(s));
      scratch.picks[s].plan(*args.kernels, {scratch.pattern(s), op.rows->rowElems},
                            op.rows->lastRowElems);
    }
}

/// Copies n entries from `from` to `to`, one by one.
template <class From, class T>
void copyRow(const RowSlot &slot, const uint64_t *pattern, const From *from, size_t n, T *to) {
  switch (slot.access) {
  case RowAccess::Constant:
    for (size_t i = 0; i < n; ++i)
      to[i] = static_cast<T>(from[0]);
    return;
  case RowAccess::Contiguous:
    for (size_t i = 0; i < n; ++i)
      to[i] = static_cast<T>(from[i]);
    return;
  case RowAccess::Strided:
    for (size_t i = 0; i < n; ++i)
      to[i] = static_cast<T>(from[i * slot.stride]);
    return;
  case RowAccess::Gathered:
    for (size_t i = 0; i < n; ++i)
      to[i] = static_cast<T>(from[pattern[i]]);
    return;
  }
}

/// Copies n entries of a slot from `from` to `to`, by vectors if they are close in memory.
template <class T>
void loadRow(const RunArgs<T> &args, Scratch<T> &scratch, size_t slot, const T *from, size_t n,
             T *to) {
  const RowSlot &row = args.op->rows->slots[slot];
  if (row.access == RowAccess::Gathered && scratch.picks[slot].possible())
    return scratch.picks[slot].copy(from, n, to);
  if (row.access == RowAccess::Strided && row.stride <= kPackSteps) {
    constexpr uint64_t kHere = 0;
    return args.kernels->pack.along[row.stride][static_cast<size_t>(PackMode::Copy)](
        {from, &kHere, &kHere, n, n, 1, to});
  }
  copyRow(row, scratch.pattern(slot), from, n, to);
}

/// Returns a pointer to the contiguous row: in the table itself, or a copy in `buffer`.
template <class T>
const T *rowOf(const RunArgs<T> &args, Scratch<T> &scratch, size_t slot, const T *from, size_t n,
               T *buffer) {
  if (args.op->rows->slots[slot].access == RowAccess::Contiguous)
    return from;
  loadRow(args, scratch, slot, from, n, buffer);
  return buffer;
}

/// Writes n entries from `from` to their places in the table.
template <class T, class To>
void scatterRow(const RowSlot &slot, const uint64_t *pattern, const T *from, size_t n, To *to) {
  if (slot.access == RowAccess::Gathered) {
    for (size_t i = 0; i < n; ++i)
      to[pattern[i]] = static_cast<To>(from[i]);
    return;
  }
  for (size_t i = 0; i < n; ++i)
    to[i * slot.stride] = static_cast<To>(from[i]);
}

} // namespace mpf
