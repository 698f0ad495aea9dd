// The row path in log form. If the operands' ranges allow, sums split exponents off
// (scaled_log_sum.h): a term is one exponential, relative to an exponent known in advance. Other
// rows, and rows with a result below the guard, use log2-sum-exp2 with a running maximum per
// result, a block of terms at a time. Max and min are plain max and min of sums.
#include "runtime/execute/cpu/row_access.h"
#include "runtime/execute/cpu/scaled_log_sum.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mpf {

namespace {

template <class T> class LogRowRunner {
public:
  LogRowRunner(const RunArgs<T> &args, Scratch<T> &scratch)
      : op_(*args.op), shape_(*args.op->rows), kernels_(*args.kernels), args_(args),
        scratch_(scratch), sums_(op_.semiring == StoredSemiring::SumTimes),
        signs_(args.signedValues && sums_) {
    fillPatterns(args_, scratch_);
    // Operands that do not vary with the terms are added at the end.
    std::array<TableState, kMaxBundleOperands> varying;
    size_t count = 0;
    for (size_t s = 0; s < op_.operandCount; ++s)
      if (shape_.slots[s].everyTerm)
        varying[count++] = args.states[s];
    if (!sums_ || signs_ || count == 0)
      return;
    const ScaledLogSum split = splitSum(
        {varying.data(), count}, 1, [](size_t) { return 0; }, op_.termsLog2, kElementType<T>);
    split_ = split.worthwhile;
    exponent_ = static_cast<T>(split.exponents[0]);
    guard_ = split.proven ? T{0} : static_cast<T>(std::ldexp(1.0, split.guardLog2));
  }

  void run(uint64_t begin, uint64_t end, WrittenRange<T> &range) {
    DigitLoop outer(shape_.outer, op_.slotCount());
    outer.seek(begin);
    for (uint64_t i = begin; i < end; ++i, outer.next()) {
      const bool shortRow =
          !shape_.horizontal && shape_.cut && outer.fastest() + 1 == shape_.outer.back().extent;
      const size_t n = shortRow ? shape_.lastRowElems : shape_.rowElems;
      if (!split_ || !sumMantissas(outer, n))
        reduceTerms(outer, n);
      write(outer, shape_.horizontal ? 1 : n, range);
    }
  }

private:
  static constexpr T kInfinity = std::numeric_limits<T>::infinity();
  static constexpr size_t kMaxPlus = static_cast<size_t>(StoredSemiring::MaxPlus);
  static constexpr size_t kMinPlus = static_cast<size_t>(StoredSemiring::MinPlus);
  static constexpr size_t kTimes = static_cast<size_t>(StoredSemiring::SumTimes);

  T *blockRow(size_t i) { return scratch_.block.data() + i * kRowElems; }
  T *signRow(size_t i) { return scratch_.signBlock.data() + i * kRowElems; }

  /// Computes sums of 2^(term - exponent). Returns false if one of them is below the guard.
  bool sumMantissas(const DigitLoop &outer, size_t n) {
    T *acc = scratch_.accumulator.data();
    std::fill_n(acc, n, T{0});
    std::fill_n(scratch_.maximum.data(), n, exponent_);
    DigitLoop terms(shape_.terms, op_.operandCount);
    do {
      const bool shortRow =
          shape_.horizontal && shape_.cut && terms.fastest() + 1 == shape_.terms.back().extent;
      const size_t length = shortRow ? shape_.lastRowElems : n;
      formTerm(outer, terms, length, blockRow(0), signRow(0), true);
      kernels_.sumExp2(acc, blockRow(0), scratch_.maximum.data(), length);
    } while (terms.next());
    if (shape_.horizontal)
      totalLanes(n);
    return *std::min_element(acc, acc + (shape_.horizontal ? 1 : n)) >= guard_;
  }

  /// Reduces the terms. Result j is accumulator[j] * 2^maximum[j] for sums; for max and min
  /// accumulator[j] is its logarithm.
  void reduceTerms(const DigitLoop &outer, size_t n) {
    T *acc = scratch_.accumulator.data();
    std::fill_n(acc, n,
                sums_                                      ? T{0}
                : op_.semiring == StoredSemiring::MinTimes ? kInfinity
                                                           : -kInfinity);
    std::fill_n(scratch_.maximum.data(), n, -kInfinity);
    DigitLoop terms(shape_.terms, op_.operandCount);
    firstBlock_ = true;
    size_t filled = 0;
    bool more = true;
    while (more) {
      const bool shortRow =
          shape_.horizontal && shape_.cut && terms.fastest() + 1 == shape_.terms.back().extent;
      const size_t length = shortRow ? shape_.lastRowElems : n;
      formTerm(outer, terms, length, blockRow(filled), signRow(filled), true);
      if (!sums_) {
        const size_t reduce = op_.semiring == StoredSemiring::MinTimes ? kMinPlus : kMaxPlus;
        kernels_.accumulateScalar[reduce](acc, blockRow(filled), 0, length);
        more = terms.next();
        continue;
      }
      std::fill(blockRow(filled) + length, blockRow(filled) + n, -kInfinity);
      ++filled;
      more = terms.next();
      if (filled == Scratch<T>::kBlockRows || !more) {
        addBlock(filled, n);
        filled = 0;
      }
    }
    if (shape_.horizontal)
      totalLanes(n);
  }

  /// Sets `row` to the sum of the logs of the operands with everyTerm == `everyTerm`, and `signRow`
  /// to the product of their signs.
  void formTerm(const DigitLoop &outer, const DigitLoop &terms, size_t n, T *row, T *signRow,
                bool everyTerm) {
    std::fill_n(row, n, T{0});
    if (signs_)
      std::fill_n(signRow, n, T{1});
    for (size_t s = 0; s < op_.operandCount; ++s) {
      const RowSlot &slot = shape_.slots[s];
      if (slot.everyTerm != everyTerm)
        continue;
      const uint64_t offset = outer.offset(s) + (everyTerm ? terms.offset(s) : 0);
      T *buffer = scratch_.loadedRow(s);
      const size_t count = slot.access == RowAccess::Constant ? 1 : n;
      const T *loaded = rowOf(args_, scratch_, s, args_.entries[s] + offset, count, buffer);
      if (signs_)
        applySigns(s, offset, loaded, n, signRow);
      if (!args_.isLog[s]) {
        kernels_.log2Abs(buffer, loaded, count);
        loaded = buffer;
      }
      if (count == 1)
        kernels_.combineScalar[kMaxPlus](row, row, loaded[0], n);
      else
        kernels_.combine[kMaxPlus](row, row, loaded, n);
    }
  }

  void applySigns(size_t s, uint64_t offset, const T *loaded, size_t n, T *signRow) {
    const bool constant = shape_.slots[s].access == RowAccess::Constant;
    if (!args_.isLog[s]) {
      for (size_t i = 0; i < n; ++i)
        signRow[i] = loaded[constant ? 0 : i] < 0 ? -signRow[i] : signRow[i];
    } else if (args_.signs[s] != nullptr) {
      T *buffer = scratch_.carry.data();
      copyRow(shape_.slots[s], scratch_.pattern(s), args_.signs[s] + offset, n, buffer);
      kernels_.combine[kTimes](signRow, signRow, buffer, n);
    }
  }

  /// Adds `rows` rows of terms to the running sum.
  void addBlock(size_t rows, size_t n) {
    T *maximum = scratch_.maximum.data(), *next = scratch_.newMaximum.data();
    T *acc = scratch_.accumulator.data();
    std::copy_n(maximum, n, next);
    for (size_t r = 0; r < rows; ++r)
      kernels_.accumulateScalar[kMaxPlus](next, blockRow(r), 0, n);
    if (shape_.horizontal) // one result: one maximum for all lanes, so that lanes can be added
      std::fill_n(next, n, kernels_.total[kMaxPlus](next, n));
    if (!firstBlock_)
      rescale(acc, maximum, next, n);
    firstBlock_ = false;
    for (size_t r = 0; r < rows; ++r) {
      if (signs_)
        kernels_.sumSignedExp2(acc, blockRow(r), next, signRow(r), n);
      else
        kernels_.sumExp2(acc, blockRow(r), next, n);
    }
    std::copy_n(next, n, maximum);
  }

  /// Computes acc *= 2^(from - to).
  void rescale(T *acc, const T *from, const T *to, size_t n) {
    T *factor = scratch_.carry.data();
    std::fill_n(factor, n, T{0});
    kernels_.sumExp2(factor, from, to, n);
    kernels_.combine[kTimes](acc, acc, factor, n);
  }

  /// Reduces the n lanes of a horizontal row to one result.
  void totalLanes(size_t n) {
    T *acc = scratch_.accumulator.data();
    if (!sums_) {
      const size_t reduce = op_.semiring == StoredSemiring::MinTimes ? kMinPlus : kMaxPlus;
      acc[0] = kernels_.total[reduce](acc, n);
      return;
    }
    acc[0] = kernels_.total[kTimes](acc, n); // all lanes have maximum[0]
  }

  void write(const DigitLoop &outer, size_t n, WrittenRange<T> &range) {
    T *acc = scratch_.accumulator.data(), *maximum = scratch_.maximum.data();
    T *sign = signRow(0), *fixed = blockRow(0);
    formTerm(outer, outer, n, fixed, sign, false);
    if (signs_)
      for (size_t i = 0; i < n; ++i)
        sign[i] = acc[i] < 0 ? -sign[i] : sign[i];
    if (sums_) {
      kernels_.log2Abs(acc, acc, n);
      kernels_.combine[kMaxPlus](acc, acc, maximum, n);
    }
    kernels_.combine[kMaxPlus](acc, acc, fixed, n);
    kernels_.combineScalar[kMaxPlus](acc, acc, static_cast<T>(-args_.shift), n);
    for (size_t i = 0; i < n; ++i)
      if (acc[i] != -kInfinity)
        range.add(acc[i]);
    const RowSlot &slot = shape_.slots[op_.operandCount];
    const uint64_t offset = outer.offset(op_.operandCount);
    scatterRow(slot, scratch_.pattern(op_.operandCount), acc, n, args_.result + offset);
    if (args_.resultSigns == nullptr)
      return;
    if (!signs_)
      std::fill_n(sign, n, T{1});
    scatterRow(slot, scratch_.pattern(op_.operandCount), sign, n, args_.resultSigns + offset);
  }

  const CpuOperation &op_;
  const RowShape &shape_;
  const CpuKernels<T> &kernels_;
  const RunArgs<T> &args_;
  Scratch<T> &scratch_;
  bool sums_, signs_;
  bool split_ = false;
  T exponent_ = 0, guard_ = 0; ///< exponent and guard of split sums
  bool firstBlock_ = true;     ///< nothing is summed yet for the current results
};

} // namespace

template <class T>
void runLogRows(const RunArgs<T> &args, uint64_t begin, uint64_t end, Scratch<T> &scratch,
                WrittenRange<T> &range) {
  LogRowRunner<T>(args, scratch).run(begin, end, range);
}

template void runLogRows(const RunArgs<double> &, uint64_t, uint64_t, Scratch<double> &,
                         WrittenRange<double> &);
template void runLogRows(const RunArgs<float> &, uint64_t, uint64_t, Scratch<float> &,
                         WrittenRange<float> &);

} // namespace mpf
