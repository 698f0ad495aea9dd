// The row path on linear entries.
#include "runtime/execute/cpu/row_access.h"
#include "runtime/execute/cpu/row_prefetch.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace mpf {

template <class T>
Scratch<T>::Scratch(bool tiles)
    : accumulator(kRowElems), product(kRowElems), maximum(kRowElems), newMaximum(kRowElems),
      carry(kRowElems), loaded(kRowElems * kMaxSlots * kCopiedTerms), block(kRowElems * kBlockRows),
      signBlock(kRowElems * kBlockRows), patterns(kRowElems * kMaxSlots) {
  picks.reserve(kMaxSlots);
  for (size_t slot = 0; slot < kMaxSlots; ++slot)
    picks.emplace_back(kRowElems);
  if (!tiles)
    return;
  // Panels are padded to whole tiles, which have at most 64 rows and columns.
  constexpr size_t kPad = 64;
  packed[0] = ZeroedArray<T>((TilePage::kRows + kPad) * TilePage::kDepth);
  packed[1] = ZeroedArray<T>((TilePage::kColumns + kPad) * TilePage::kDepth);
  packed[2] = ZeroedArray<T>(TilePage::kFaceElems);
  panel = ZeroedArray<T>(kPad * TilePage::kDepth);
  neutral = ZeroedArray<T>(kPad);
  tile = ZeroedArray<T>(kPad * kPad);
  tileOffsets[0] = ZeroedArray<uint64_t>(kMaxSlots * TilePage::kRows);
  tileOffsets[1] = ZeroedArray<uint64_t>(kMaxSlots * TilePage::kColumns);
  tileOffsets[2] = ZeroedArray<uint64_t>(kMaxSlots * TilePage::kDepth);
}

template struct Scratch<double>;
template struct Scratch<float>;

namespace {

template <class T> class RowRunner {
public:
  RowRunner(const RunArgs<T> &args, Scratch<T> &scratch)
      : op_(*args.op), shape_(*args.op->rows), kernels_(*args.kernels), args_(args),
        scratch_(scratch), semiring_(static_cast<size_t>(op_.semiring)), plus_(!op_.scaled) {
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    constexpr std::array<T, kStoredSemirings> kIdentity{0, 0, kInfinity, -kInfinity, kInfinity};
    identity_ = kIdentity[semiring_];
    neutral_ = plus_ ? T{0} : T{1};
    factor_ = static_cast<T>(std::ldexp(1.0, -args.shift));
    fillPatterns(args_, scratch_);
    prefetch_.emplace(args_, scratch_); // after fillPatterns, whose patterns it reads
  }

  void run(uint64_t begin, uint64_t end, WrittenRange<T> &range) {
    AbsRange<T> seen;
    DigitLoop outer(shape_.outer, op_.slotCount());
    outer.seek(begin);
    DigitLoop next = outer;
    for (uint64_t i = begin; i < end; ++i, outer.next()) {
      next.next();
      prefetch_->startRow(outer, next);
      if (shape_.horizontal) {
        writeTotal(outer, seen);
        continue;
      }
      const bool shortRow = shape_.cut && outer.fastest() + 1 == shape_.outer.back().extent;
      const size_t n = shortRow ? shape_.lastRowElems : shape_.rowElems;
      reduceTerms(outer, n);
      writeRow(outer, n, seen);
    }
    if (seen.greatest > 0) {
      range.add(seen.least);
      range.add(seen.greatest);
    }
  }

private:
  T combined(T a, T b) const { return plus_ ? a + b : a * b; }
  T reduced(T a, T b) const {
    switch (op_.semiring) {
    case StoredSemiring::SumTimes:
      return a + b;
    case StoredSemiring::MaxTimes:
    case StoredSemiring::MaxPlus:
      return std::max(a, b);
    default:
      return std::min(a, b);
    }
  }

  /// The factors of one term that vary with the terms: the product of the constants, and the rows.
  struct Factors {
    T scalar;
    std::array<const T *, kMaxBundleOperands> rows;
    size_t count = 0;
  };
  Factors load(const DigitLoop &outer, const DigitLoop &terms, size_t term, size_t n) {
    Factors factors{neutral_, {}, 0};
    for (size_t s = 0; s < op_.operandCount; ++s) {
      const RowSlot &slot = shape_.slots[s];
      if (!slot.everyTerm)
        continue;
      const T *from = args_.entries[s] + outer.offset(s) + terms.offset(s);
      if (slot.access == RowAccess::Constant)
        factors.scalar = combined(factors.scalar, *from);
      else
        factors.rows[factors.count++] = cachedRow(s, from, term, n);
    }
    if (factors.count == 0) {
      std::fill_n(scratch_.product.data(), n, neutral_);
      factors.rows[factors.count++] = scratch_.product.data();
    }
    return factors;
  }

  /// Returns the row in place, or a copy. A copy stays valid while its place and length do not
  /// change: small tables are copied once, not for every row of a large one.
  const T *cachedRow(size_t slot, const T *from, size_t term, size_t n) {
    if (shape_.slots[slot].access == RowAccess::Contiguous)
      return from;
    const size_t line = slot * kCopiedTerms + term % kCopiedTerms;
    T *copy = scratch_.loaded.data() + line * kRowElems;
    if (cached_[line] != from || cachedElems_[line] < n) {
      loadRow(args_, scratch_, slot, from, n, copy);
      cached_[line] = from;
      cachedElems_[line] = n;
    }
    return copy;
  }

  /// Sets the accumulator to the reduction over the terms of the product of all factors that vary
  /// with them.
  void reduceTerms(const DigitLoop &outer, size_t n) {
    T *acc = scratch_.accumulator.data(), *product = scratch_.product.data();
    DigitLoop terms(shape_.terms, op_.operandCount);
    size_t term = 0;
    do {
      const bool first = term == 0;
      prefetch_->step();
      const Factors factors = load(outer, terms, term++, n);
      prefetch_->step();
      const T *left = factors.rows[0];
      if (factors.count == 1) {
        (first ? kernels_.combineScalar : kernels_.accumulateScalar)[semiring_](acc, left,
                                                                                factors.scalar, n);
        continue;
      }
      // The last product is fused with the reduction.
      for (size_t r = 1; r + 1 < factors.count; ++r) {
        kernels_.combine[semiring_](product, left, factors.rows[r], n);
        left = product;
      }
      if (factors.scalar != neutral_) {
        kernels_.combineScalar[semiring_](product, left, factors.scalar, n);
        left = product;
      }
      (first ? kernels_.combine
             : kernels_.accumulate)[semiring_](acc, left, factors.rows[factors.count - 1], n);
    } while (terms.next());
  }

  /// Writes one result of a horizontal shape: the reduction of all its rows.
  void writeTotal(const DigitLoop &outer, AbsRange<T> &seen) {
    T total = identity_;
    DigitLoop terms(shape_.terms, op_.operandCount);
    size_t term = 0;
    do {
      const bool shortRow = shape_.cut && terms.fastest() + 1 == shape_.terms.back().extent;
      const size_t n = shortRow ? shape_.lastRowElems : shape_.rowElems;
      const Factors factors = load(outer, terms, term++, n);
      const T dot = kernels_.dot[semiring_](factors.rows.data(), factors.count, n);
      total = reduced(total, combined(dot, factors.scalar));
    } while (terms.next());
    for (size_t s = 0; s < op_.operandCount; ++s)
      if (!shape_.slots[s].everyTerm)
        total = combined(total, args_.entries[s][outer.offset(s)]);
    total *= factor_;
    args_.result[outer.offset(op_.operandCount)] = total;
    if (const T magnitude = std::abs(total); magnitude > 0) {
      seen.least = std::min(seen.least, magnitude);
      seen.greatest = std::max(seen.greatest, magnitude);
    }
  }

  /// Applies the operands that do not vary with the terms, scales, and stores.
  void writeRow(const DigitLoop &outer, size_t n, AbsRange<T> &seen) {
    T *acc = scratch_.accumulator.data();
    T scalar = neutral_;
    for (size_t s = 0; s < op_.operandCount; ++s) {
      const RowSlot &slot = shape_.slots[s];
      if (slot.everyTerm)
        continue;
      const T *from = args_.entries[s] + outer.offset(s);
      if (slot.access == RowAccess::Constant)
        scalar = combined(scalar, *from);
      else
        kernels_.combine[semiring_](acc, acc, cachedRow(s, from, 0, n), n);
    }
    if (scalar != neutral_)
      kernels_.combineScalar[semiring_](acc, acc, scalar, n);
    const RowSlot &slot = shape_.slots[op_.operandCount];
    T *to = args_.result + outer.offset(op_.operandCount);
    prefetch_->step();
    const bool direct = slot.access == RowAccess::Contiguous || n == 1;
    kernels_.finish(direct ? to : acc, acc, factor_, n, &seen);
    if (!direct)
      scatterRow(slot, scratch_.pattern(op_.operandCount), acc, n, to);
  }

  /// The sources and lengths of the copies in the scratch memory.
  std::array<const T *, kMaxSlots * kCopiedTerms> cached_{};
  std::array<size_t, kMaxSlots * kCopiedTerms> cachedElems_{};
  std::optional<RowPrefetch<T>> prefetch_;
  const CpuOperation &op_;
  const RowShape &shape_;
  const CpuKernels<T> &kernels_;
  const RunArgs<T> &args_;
  Scratch<T> &scratch_;
  size_t semiring_;
  bool plus_;
  T identity_, neutral_, factor_;
};

} // namespace

template <class T>
void runRows(const RunArgs<T> &args, uint64_t begin, uint64_t end, Scratch<T> &scratch,
             WrittenRange<T> &range) {
  RowRunner<T>(args, scratch).run(begin, end, range);
}

template void runRows(const RunArgs<double> &, uint64_t, uint64_t, Scratch<double> &,
                      WrittenRange<double> &);
template void runRows(const RunArgs<float> &, uint64_t, uint64_t, Scratch<float> &,
                      WrittenRange<float> &);

} // namespace mpf
