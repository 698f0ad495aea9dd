// Prefetches the next row from memory while one row is computed in the cache. The hardware's
// prefetching ends at each memory page, and rows are about as long as a page.
#pragma once

#include "runtime/execute/cpu/cpu_run.h"

#include <algorithm>

namespace mpf {

/// Prefetches rows over kept digits of large tables; for operands, those of all terms of the sum.
/// It requests a few lines at a time between the loops of a row, because more would wait for each
/// other.
template <class T> class RowPrefetch {
public:
  RowPrefetch(const RunArgs<T> &args, const Scratch<T> &scratch);

  /// To be called before each row, with the start of this and of the next row.
  void startRow(const DigitLoop &now, const DigitLoop &next);
  /// Prefetches the next few lines. Two calls per term and one more reach all lines.
  void step() {
    for (size_t left = linesEach_; left > 0 && at_ < count_;) {
      const Stretch &stretch = stretches_[at_];
      const T *from = from_[stretch.slot] + stretch.offset + line_ * kLineElems;
      const size_t lines = std::min(left, stretch.lines - line_);
      for (size_t i = 0; i < lines; ++i)
        __builtin_prefetch(from + i * kLineElems);
      left -= lines;
      line_ += lines;
      if (line_ == stretch.lines)
        advance();
    }
  }

private:
  static constexpr size_t kLineElems = 64 / sizeof(T);
  static constexpr size_t kMostStretches = 32; ///< with more terms, rows reuse loaded lines

  /// Neighbouring lines, at an offset from a row's first entry.
  struct Stretch {
    size_t slot = 0;
    uint64_t offset = 0;
    size_t lines = 0;
  };

  bool isLarge(size_t slot) const;
  size_t rowReach(size_t slot, const Scratch<T> &scratch) const;
  void addStretches(size_t slot, size_t reach);
  /// Moves to the next stretch of a table whose place differs in the next row.
  void advance();

  const RunArgs<T> &args_;
  std::array<Stretch, kMostStretches> stretches_;
  size_t count_ = 0, linesEach_ = 0;
  std::array<const T *, kMaxSlots> from_{}; ///< the next row; null: at the place of this row
  size_t at_ = 0, line_ = 0;
};

} // namespace mpf
