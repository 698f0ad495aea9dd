// The row path on linear entries.
#include "runtime/execute/row_access.h"

#include <algorithm>
#include <cmath>

namespace mpf {

template <class T>
Scratch<T>::Scratch(bool tiles)
    : accumulator(kRowElems), product(kRowElems), maximum(kRowElems), newMaximum(kRowElems),
      carry(kRowElems), loaded(kRowElems * kMaxSlots), block(kRowElems * kBlockRows),
      signBlock(kRowElems * kBlockRows), patterns(kRowElems * kMaxSlots) {
  if (!tiles)
    return;
  // Panels are padded to whole tiles; no tile is larger than 64 in either direction.
  constexpr size_t kPad = 64;
  packedA.resize((TileBlocks::kRows + kPad) * TileBlocks::kDepth);
  packedB.resize((TileBlocks::kColumns + kPad) * TileBlocks::kDepth);
  tileOffsets.resize(kMaxSlots * (TileBlocks::kRows + TileBlocks::kColumns + TileBlocks::kDepth));
}

template struct Scratch<double>;
template struct Scratch<float>;

namespace {

template <class T> class RowRunner {
public:
  RowRunner(const RunArgs<T> &args, Scratch<T> &scratch)
      : op_(*args.op), shape_(*args.op->rows), kernels_(*args.kernels), args_(args),
        scratch_(scratch), algebra_(static_cast<size_t>(op_.algebra)), plus_(!op_.scaled) {
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    constexpr std::array<T, kAlgebraCount> kIdentity{0, 0, kInfinity, -kInfinity, kInfinity};
    identity_ = kIdentity[algebra_];
    neutral_ = plus_ ? T{0} : T{1};
    factor_ = static_cast<T>(std::ldexp(1.0, -args.shift));
    fillPatterns(op_, scratch_);
  }

  void run(uint64_t begin, uint64_t end, WrittenRange<T> &range) {
    AbsRange<T> seen;
    DigitLoop outer(shape_.outer, op_.slotCount());
    outer.seek(begin);
    for (uint64_t i = begin; i < end; ++i, outer.next()) {
      const bool shortRow =
          !shape_.horizontal && shape_.cut && outer.fastest() + 1 == shape_.outer.back().extent;
      reduceTerms(outer, shortRow ? shape_.lastRowElems : shape_.rowElems);
      write(outer, shortRow ? shape_.lastRowElems : shape_.rowElems, seen);
    }
    if (seen.greatest > 0) {
      range.add(seen.least);
      range.add(seen.greatest);
    }
  }

private:
  T combined(T a, T b) const { return plus_ ? a + b : a * b; }

  /// accumulator = reduce over the terms of the product of everything that varies with them.
  void reduceTerms(const DigitLoop &outer, size_t n) {
    T *acc = scratch_.accumulator.data();
    std::fill_n(acc, n, identity_);
    DigitLoop terms(shape_.terms, op_.operandCount);
    do {
      const bool shortRow =
          shape_.horizontal && shape_.cut && terms.fastest() + 1 == shape_.terms.back().extent;
      addTerm(outer, terms, shortRow ? shape_.lastRowElems : n);
    } while (terms.next());
  }

  void addTerm(const DigitLoop &outer, const DigitLoop &terms, size_t n) {
    T *acc = scratch_.accumulator.data();
    T scalar = neutral_;
    // The first two rows are kept apart, so that the last product is fused with the reduction.
    const T *left = nullptr, *right = nullptr;
    for (size_t s = 0; s < op_.operandCount; ++s) {
      const RowSlot &slot = shape_.slots[s];
      if (!slot.everyTerm)
        continue;
      const T *from = args_.entries[s] + outer.offset(s) + terms.offset(s);
      if (slot.access == RowAccess::Constant) {
        scalar = combined(scalar, *from);
        continue;
      }
      const T *row = rowOf(slot, scratch_.pattern(s), from, n, scratch_.loadedRow(s));
      if (right != nullptr) {
        kernels_.combine[algebra_](scratch_.product.data(), left, right, n);
        left = scratch_.product.data();
      }
      (left == nullptr ? left : right) = row;
    }
    if (left == nullptr) {
      std::fill_n(scratch_.product.data(), n, neutral_);
      left = scratch_.product.data();
    }
    if (right == nullptr)
      return kernels_.accumulateScalar[algebra_](acc, left, scalar, n);
    if (scalar != neutral_) {
      kernels_.combineScalar[algebra_](scratch_.product.data(), left, scalar, n);
      left = scratch_.product.data();
    }
    kernels_.accumulate[algebra_](acc, left, right, n);
  }

  /// Applies the operands that are the same for all terms, scales, stores.
  void write(const DigitLoop &outer, size_t n, AbsRange<T> &seen) {
    T *acc = scratch_.accumulator.data();
    if (shape_.horizontal) {
      acc[0] = kernels_.total[algebra_](acc, n);
      n = 1;
    }
    T scalar = neutral_;
    for (size_t s = 0; s < op_.operandCount; ++s) {
      const RowSlot &slot = shape_.slots[s];
      if (slot.everyTerm)
        continue;
      const T *from = args_.entries[s] + outer.offset(s);
      if (slot.access == RowAccess::Constant)
        scalar = combined(scalar, *from);
      else
        kernels_.combine[algebra_](
            acc, acc, rowOf(slot, scratch_.pattern(s), from, n, scratch_.loadedRow(s)), n);
    }
    if (scalar != neutral_)
      kernels_.combineScalar[algebra_](acc, acc, scalar, n);
    const RowSlot &slot = shape_.slots[op_.operandCount];
    T *to = args_.result + outer.offset(op_.operandCount);
    const bool direct = slot.access == RowAccess::Contiguous || n == 1;
    kernels_.finish(direct ? to : acc, acc, factor_, n, &seen);
    if (!direct)
      scatterRow(slot, scratch_.pattern(op_.operandCount), acc, n, to);
  }

  const CpuOperation &op_;
  const RowShape &shape_;
  const CpuKernels<T> &kernels_;
  const RunArgs<T> &args_;
  Scratch<T> &scratch_;
  size_t algebra_;
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
