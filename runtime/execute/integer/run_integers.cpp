#include "runtime/execute/integer/run_integers.h"

#include "dsl/support/check.h"
#include "runtime/execute/cpu/reduce_entries.h"

#include <optional>

namespace mpf {

namespace {

/// One run of terms: operand s reads entries[s][k * strides[s]] for k below count.
template <class T> struct IntegerRun {
  std::array<const T *, kMaxBundleOperands> entries{};
  std::array<uint64_t, kMaxBundleOperands> strides{};
  size_t operands = 1;
  uint64_t count = 1;

  T entry(size_t s, uint64_t k) const { return entries[s][k * strides[s]]; }
};

/// The reduction of terms that cannot overflow, so that modulo arithmetic is exact.
template <class T, StoredSemiring kSemiring> struct ProvenSum {
  static constexpr bool kPlus =
      kSemiring == StoredSemiring::MaxPlus || kSemiring == StoredSemiring::MinPlus;
  static constexpr bool kMin =
      kSemiring == StoredSemiring::MinTimes || kSemiring == StoredSemiring::MinPlus;
  T total = kMin ? static_cast<T>(-1) : T{0};
  static constexpr bool lost() { return false; }

  void add(const IntegerRun<T> &run) {
    for (uint64_t k = 0; k < run.count; ++k) {
      T term = run.entry(0, k);
      for (size_t s = 1; s < run.operands; ++s)
        term = kPlus ? term + run.entry(s, k) : term * run.entry(s, k);
      total = reducedBy(kSemiring, total, term);
    }
  }
};

template <class T, StoredSemiring kSemiring> class CheckedSum {
public:
  T total = ProvenSum<T, kSemiring>{}.total;
  bool lost() const { return lost_ || (kMin && !some_); }

  void add(const IntegerRun<T> &run) {
    for (uint64_t k = 0; k < run.count; ++k) {
      T term = 0;
      if (!combine(run, k, term)) {
        lost_ |= !kMin; // a lost term is greater than all others
        continue;
      }
      some_ = true;
      if constexpr (kSemiring == StoredSemiring::SumTimes)
        lost_ |= !addIntegers(total, term, total);
      else
        total = reducedBy(kSemiring, total, term);
    }
  }

private:
  static constexpr bool kPlus = ProvenSum<T, kSemiring>::kPlus;
  static constexpr bool kMin = ProvenSum<T, kSemiring>::kMin;

  static bool combine(const IntegerRun<T> &run, uint64_t k, T &term) {
    bool fits = true;
    term = run.entry(0, k);
    for (size_t s = 1; s < run.operands; ++s)
      fits &= kPlus ? addIntegers(term, run.entry(s, k), term)
                    : multiplyIntegers(term, run.entry(s, k), term);
    if (fits || kPlus)
      return fits;
    for (size_t s = 0; s < run.operands; ++s)
      if (run.entry(s, k) == 0) {
        term = 0;
        return true;
      }
    return false;
  }

  bool lost_ = false;
  bool some_ = false; ///< a term that is not lost was seen
};

template <class Sum, class T>
void runWith(const IntegerArgs<T> &args, uint64_t begin, uint64_t end, IntegerRange<T> &range) {
  const CpuOperation &op = *args.op;
  std::span<const LoopDigit> reduced(op.reduced);
  IntegerRun<T> run;
  run.operands = op.operandCount;
  if (!reduced.empty()) {
    run.count = reduced.back().extent;
    std::copy_n(reduced.back().strides.begin(), run.operands, run.strides.begin());
    reduced = reduced.first(reduced.size() - 1);
  }
  DigitLoop kept(op.kept, op.slotCount()), terms(reduced, op.operandCount);
  kept.seek(begin);
  for (uint64_t at = begin; at < end; ++at, kept.next()) {
    Sum sum;
    do {
      for (size_t s = 0; s < run.operands; ++s)
        run.entries[s] = args.entries[s] + kept.offset(s) + terms.offset(s);
      sum.add(run);
    } while (terms.next());
    args.result[kept.offset(op.operandCount)] = sum.total;
    range.add(sum.total);
    range.lost |= sum.lost();
  }
}

/// Computes results that cannot overflow. Results along one kept digit form a row; each term is one
/// loop over the row.
template <class T, StoredSemiring kSemiring> class ProvenRows {
public:
  static constexpr size_t kRowElems = 256;

  ProvenRows(const IntegerArgs<T> &args, const LoopDigit &row)
      : args_(args), op_(*args.op), row_(row) {}

  /// Computes `n` results of one row. `at`: the offsets of the first in all tables.
  void run(const std::array<uint64_t, kMaxSlots> &at, size_t n, IntegerRange<T> &range) {
    std::fill_n(sums_.begin(), n, ProvenSum<T, kSemiring>{}.total);
    DigitLoop terms(op_.reduced, op_.operandCount);
    do {
      addTerm(at, terms, n);
    } while (terms.next());
    T *result = args_.result + at[op_.operandCount];
    const uint64_t stride = row_.strides[op_.operandCount];
    for (size_t i = 0; i < n; ++i) {
      result[i * stride] = sums_[i];
      range.add(sums_[i]);
    }
  }

private:
  static constexpr bool kPlus = ProvenSum<T, kSemiring>::kPlus;
  static T combined(T a, T b) { return kPlus ? a + b : a * b; }

  void addTerm(const std::array<uint64_t, kMaxSlots> &at, const DigitLoop &terms, size_t n) {
    T same = kPlus ? T{0} : T{1}; // product (sum) of the operands that do not vary along the row
    const T *product = nullptr;
    for (size_t s = 0; s < op_.operandCount; ++s) {
      const T *from = args_.entries[s] + at[s] + terms.offset(s);
      const uint64_t stride = row_.strides[s];
      if (stride == 0) {
        same = combined(same, *from);
        continue;
      }
      if (product == nullptr && stride == 1) {
        product = from;
        continue;
      }
      if (product == nullptr)
        copy(from, stride, n);
      else if (stride == 1)
        combine(product, from, 1, n);
      else
        combine(product, from, stride, n);
      product = products_.data();
    }
    for (size_t i = 0; i < n; ++i)
      sums_[i] =
          reducedBy(kSemiring, sums_[i], product == nullptr ? same : combined(same, product[i]));
  }

  void copy(const T *from, uint64_t stride, size_t n) {
    for (size_t i = 0; i < n; ++i)
      products_[i] = from[i * stride];
  }
  void combine(const T *product, const T *from, uint64_t stride, size_t n) {
    for (size_t i = 0; i < n; ++i)
      products_[i] = combined(product[i], from[i * stride]);
  }

  const IntegerArgs<T> &args_;
  const CpuOperation &op_;
  const LoopDigit &row_;
  std::array<T, kRowElems> sums_, products_;
};

/// Counts the operands of which a loop over the digit does not read neighbouring entries.
size_t stridedOperands(const CpuOperation &op, const LoopDigit &digit) {
  size_t count = 0;
  for (size_t s = 0; s < op.operandCount; ++s)
    count += digit.strides[s] > 1;
  return count;
}

/// Returns the kept digit that makes the best rows, or none. None is best if rows would be short,
/// or if the terms of one result are closer in memory.
std::optional<size_t> rowDigit(const CpuOperation &op) {
  constexpr uint64_t kShortest = 8; // shorter rows do not pay for their start
  std::optional<size_t> best;
  size_t fewest = op.operandCount + 1;
  for (size_t d = op.kept.size(); d-- > 0;)
    if (const size_t strided = stridedOperands(op, op.kept[d]);
        op.kept[d].extent >= kShortest && strided < fewest) {
      best = d;
      fewest = strided;
    }
  const bool terms = !op.reduced.empty() && op.reduced.back().extent >= kShortest &&
                     stridedOperands(op, op.reduced.back()) < fewest;
  return terms ? std::nullopt : best;
}

template <StoredSemiring kSemiring, class T>
void runRowsAs(const IntegerArgs<T> &args, size_t digit, uint64_t begin, uint64_t end,
               IntegerRange<T> &range) {
  const CpuOperation &op = *args.op;
  const LoopDigit &row = op.kept[digit];
  std::array<LoopDigit, kMaxBundleDigits> others;
  size_t count = 0;
  for (size_t d = 0; d < op.kept.size(); ++d)
    if (d != digit)
      others[count++] = op.kept[d];
  ProvenRows<T, kSemiring> rows(args, row);
  DigitLoop outer(std::span<const LoopDigit>(others).first(count), op.slotCount());
  outer.seek(begin / row.extent);
  for (uint64_t at = begin; at < end;) {
    const uint64_t first = at % row.extent;
    const uint64_t n =
        std::min({end - at, row.extent - first, uint64_t{ProvenRows<T, kSemiring>::kRowElems}});
    std::array<uint64_t, kMaxSlots> offsets{};
    for (size_t s = 0; s < op.slotCount(); ++s)
      offsets[s] = outer.offset(s) + first * row.strides[s];
    rows.run(offsets, n, range);
    at += n;
    if (first + n == row.extent)
      outer.next();
  }
}

template <StoredSemiring kSemiring, class T>
void runAs(const IntegerArgs<T> &args, uint64_t begin, uint64_t end, IntegerRange<T> &range) {
  const std::optional<size_t> row = rowDigit(*args.op);
  if (args.proven && row)
    runRowsAs<kSemiring>(args, *row, begin, end, range);
  else if (args.proven)
    runWith<ProvenSum<T, kSemiring>>(args, begin, end, range);
  else
    runWith<CheckedSum<T, kSemiring>>(args, begin, end, range);
}

} // namespace

template <class T>
void runIntegers(const IntegerArgs<T> &args, uint64_t begin, uint64_t end, IntegerRange<T> &range) {
  switch (args.op->semiring) {
  case StoredSemiring::SumTimes:
    return runAs<StoredSemiring::SumTimes>(args, begin, end, range);
  case StoredSemiring::MaxTimes:
    return runAs<StoredSemiring::MaxTimes>(args, begin, end, range);
  case StoredSemiring::MinTimes:
    return runAs<StoredSemiring::MinTimes>(args, begin, end, range);
  case StoredSemiring::MaxPlus:
    return runAs<StoredSemiring::MaxPlus>(args, begin, end, range);
  case StoredSemiring::MinPlus:
    return runAs<StoredSemiring::MinPlus>(args, begin, end, range);
  }
  MPF_UNREACHABLE("semiring {}", static_cast<int>(args.op->semiring));
}

template void runIntegers(const IntegerArgs<uint64_t> &, uint64_t, uint64_t,
                          IntegerRange<uint64_t> &);
template void runIntegers(const IntegerArgs<Uint128> &, uint64_t, uint64_t,
                          IntegerRange<Uint128> &);

} // namespace mpf
