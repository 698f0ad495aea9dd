// Reading and writing one row of a table, whatever its strides.
#pragma once

#include "runtime/execute/cpu_run.h"

namespace mpf {

/// Fills the offset tables of the slots that need one.
template <class T> void fillPatterns(const CpuOperation &op, Scratch<T> &scratch) {
  for (size_t s = 0; s < op.slotCount(); ++s)
    if (op.rows->slots[s].access == RowAccess::Gathered)
      fillOffsets(op.rows->row, s, scratch.pattern(s));
}

template <class From, class T, uint64_t Stride>
void copyStrided(const From *from, size_t n, T *to) {
  for (size_t i = 0; i < n; ++i)
    to[i] = static_cast<T>(from[i * Stride]);
}

/// n entries from `from` into `to`.
template <class From, class T>
void copyRow(const RowSlot &slot, const uint64_t *pattern, const From *from, size_t n, T *to) {
  switch (slot.access) {
  case RowAccess::Constant:
    for (size_t i = 0; i < n; ++i)
      to[i] = static_cast<T>(from[0]);
    return;
  case RowAccess::Contiguous:
    return copyStrided<From, T, 1>(from, n, to);
  case RowAccess::Strided:
    // Messages of binary and ternary variables: the compiler turns these into shuffles.
    if (slot.stride == 2)
      return copyStrided<From, T, 2>(from, n, to);
    if (slot.stride == 3)
      return copyStrided<From, T, 3>(from, n, to);
    if (slot.stride == 4)
      return copyStrided<From, T, 4>(from, n, to);
    for (size_t i = 0; i < n; ++i)
      to[i] = static_cast<T>(from[i * slot.stride]);
    return;
  case RowAccess::Gathered:
    for (size_t i = 0; i < n; ++i)
      to[i] = static_cast<T>(from[pattern[i]]);
    return;
  }
}

/// The row where it lies, or a copy of it in `buffer`.
template <class T>
const T *rowOf(const RowSlot &slot, const uint64_t *pattern, const T *from, size_t n, T *buffer) {
  if (slot.access == RowAccess::Contiguous)
    return from;
  copyRow(slot, pattern, from, n, buffer);
  return buffer;
}

/// The opposite: n entries of `from` to their places.
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
