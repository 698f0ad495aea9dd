#include "runtime/execute/cpu/row_prefetch.h"

namespace mpf {

template <class T>
RowPrefetch<T>::RowPrefetch(const RunArgs<T> &args, const Scratch<T> &scratch) : args_(args) {
  const RowShape &shape = *args.op->rows;
  if (shape.horizontal) // rows are consecutive in memory
    return;
  size_t lines = 0;
  for (size_t s = 0; s < args.op->slotCount(); ++s)
    if (isLarge(s))
      addStretches(s, rowReach(s, scratch));
  for (size_t i = 0; i < count_; ++i)
    lines += stretches_[i].lines;
  linesEach_ = lines / (2 * shape.termCount + 1) + 1;
  at_ = count_;
}

/// True if the table does not fit the second-level cache.
template <class T> bool RowPrefetch<T>::isLarge(size_t slot) const {
  constexpr double kNearBytes = 1 << 20;
  return args_.op->tableElems(slot) * sizeof(T) > kNearBytes;
}

/// Returns the elements of memory that a row spans; 0: too sparse to prefetch.
template <class T> size_t RowPrefetch<T>::rowReach(size_t slot, const Scratch<T> &scratch) const {
  const RowShape &shape = *args_.op->rows;
  const RowSlot &row = shape.slots[slot];
  switch (row.access) {
  case RowAccess::Constant:
    return 1;
  case RowAccess::Contiguous:
    return shape.rowElems;
  case RowAccess::Strided:
    return row.stride <= kPackSteps ? shape.rowElems * row.stride : 0;
  case RowAccess::Gathered:
    return scratch.picks[slot].possible() ? scratch.picks[slot].reach() : 0;
  }
  return 0;
}

/// Adds the stretches of a slot. Terms whose rows are close share lines.
template <class T> void RowPrefetch<T>::addStretches(size_t slot, size_t reach) {
  const RowShape &shape = *args_.op->rows;
  std::array<uint64_t, kMostStretches> offsets{};
  const bool moves = shape.slots[slot].everyTerm;
  const uint64_t terms = moves ? shape.termCount : 1;
  if (reach == 0 || terms > kMostStretches)
    return;
  if (moves)
    fillOffsets(shape.terms, slot, offsets.data());
  std::sort(offsets.begin(), offsets.begin() + static_cast<ptrdiff_t>(terms));
  for (uint64_t t = 0; t < terms && count_ < kMostStretches;) {
    const uint64_t begin = offsets[t];
    uint64_t end = begin + reach;
    for (; t < terms && offsets[t] <= end; ++t)
      end = offsets[t] + reach;
    stretches_[count_++] = {slot, begin, (end - begin + kLineElems - 1) / kLineElems};
  }
}

template <class T> void RowPrefetch<T>::startRow(const DigitLoop &now, const DigitLoop &next) {
  if (count_ == 0)
    return;
  for (size_t s = 0; s < args_.op->slotCount(); ++s) {
    const T *table = s < args_.op->operandCount ? args_.entries[s] : args_.result;
    from_[s] = next.offset(s) == now.offset(s) ? nullptr : table + next.offset(s);
  }
  at_ = ~size_t{0};
  advance();
}

template <class T> void RowPrefetch<T>::advance() {
  line_ = 0;
  do
    ++at_;
  while (at_ < count_ && from_[stretches_[at_].slot] == nullptr);
}

template class RowPrefetch<double>;
template class RowPrefetch<float>;

} // namespace mpf
