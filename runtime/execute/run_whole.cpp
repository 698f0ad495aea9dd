#include "runtime/execute/run_whole.h"

#include "dsl/support/check.h"
#include "runtime/execute/reduce_entries.h"

namespace mpf {

namespace {

/// One run of terms: operand s reads entries[s][k * strides[s]] for k below count.
template <class T> struct WholeRun {
  std::array<const T *, kMaxBundleOperands> entries{};
  std::array<uint64_t, kMaxBundleOperands> strides{};
  size_t operands = 1;
  uint64_t count = 1;

  T entry(size_t s, uint64_t k) const { return entries[s][k * strides[s]]; }
};

/// Nothing overflows: modulo arithmetic is exact.
template <class T, Algebra kAlgebra> struct ProvenSum {
  static constexpr bool kPlus = kAlgebra == Algebra::MaxPlus || kAlgebra == Algebra::MinPlus;
  static constexpr bool kMin = kAlgebra == Algebra::MinTimes || kAlgebra == Algebra::MinPlus;
  T total = kMin ? static_cast<T>(-1) : T{0};
  static constexpr bool lost() { return false; }

  void add(const WholeRun<T> &run) {
    for (uint64_t k = 0; k < run.count; ++k) {
      T term = run.entry(0, k);
      for (size_t s = 1; s < run.operands; ++s)
        term = kPlus ? term + run.entry(s, k) : term * run.entry(s, k);
      total = reducedBy(kAlgebra, total, term);
    }
  }
};

template <class T, Algebra kAlgebra> class CheckedSum {
public:
  T total = ProvenSum<T, kAlgebra>{}.total;
  bool lost() const { return lost_ || (kMin && !some_); }

  void add(const WholeRun<T> &run) {
    for (uint64_t k = 0; k < run.count; ++k) {
      T term = 0;
      if (!combine(run, k, term)) {
        lost_ |= !kMin; // a lost term is above every other
        continue;
      }
      some_ = true;
      if constexpr (kAlgebra == Algebra::SumTimes)
        lost_ |= !addWhole(total, term, total);
      else
        total = reducedBy(kAlgebra, total, term);
    }
  }

private:
  static constexpr bool kPlus = ProvenSum<T, kAlgebra>::kPlus;
  static constexpr bool kMin = ProvenSum<T, kAlgebra>::kMin;

  static bool combine(const WholeRun<T> &run, uint64_t k, T &term) {
    bool fits = true;
    term = run.entry(0, k);
    for (size_t s = 1; s < run.operands; ++s)
      fits &= kPlus ? addWhole(term, run.entry(s, k), term)
                    : multiplyWhole(term, run.entry(s, k), term);
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
void runWith(const WholeArgs<T> &args, uint64_t begin, uint64_t end, WholeRange<T> &range) {
  const CpuOperation &op = *args.op;
  std::span<const LoopDigit> reduced(op.reduced);
  WholeRun<T> run;
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

template <Algebra kAlgebra, class T>
void runAs(const WholeArgs<T> &args, uint64_t begin, uint64_t end, WholeRange<T> &range) {
  if (args.proven)
    runWith<ProvenSum<T, kAlgebra>>(args, begin, end, range);
  else
    runWith<CheckedSum<T, kAlgebra>>(args, begin, end, range);
}

} // namespace

template <class T>
void runWhole(const WholeArgs<T> &args, uint64_t begin, uint64_t end, WholeRange<T> &range) {
  switch (args.op->algebra) {
  case Algebra::SumTimes:
    return runAs<Algebra::SumTimes>(args, begin, end, range);
  case Algebra::MaxTimes:
    return runAs<Algebra::MaxTimes>(args, begin, end, range);
  case Algebra::MinTimes:
    return runAs<Algebra::MinTimes>(args, begin, end, range);
  case Algebra::MaxPlus:
    return runAs<Algebra::MaxPlus>(args, begin, end, range);
  case Algebra::MinPlus:
    return runAs<Algebra::MinPlus>(args, begin, end, range);
  }
  MPF_UNREACHABLE("algebra {}", static_cast<int>(args.op->algebra));
}

template void runWhole(const WholeArgs<uint64_t> &, uint64_t, uint64_t, WholeRange<uint64_t> &);
template void runWhole(const WholeArgs<Uint128> &, uint64_t, uint64_t, WholeRange<Uint128> &);

} // namespace mpf
