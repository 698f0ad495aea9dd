// Operations of few addresses: plain loops over single entries, in double for any element type.
// Programs have thousands of them, so set-up must be cheap: linear ones read their offsets from
// lists (entry_lists.h).
#include "runtime/execute/cpu/cpu_run.h"

#include "runtime/execute/cpu/reduce_entries.h"
#include "runtime/execute/host/exponent_bits.h"

#include <cmath>

namespace mpf {

namespace {

constexpr double combined(StoredSemiring semiring, double a, double b) {
  return semiring == StoredSemiring::MaxPlus || semiring == StoredSemiring::MinPlus ? a + b : a * b;
}

/// Forms one product as sign and log2 magnitude.
template <class T> struct LogTerms {
  const RunArgs<T> &args;

  double load(size_t slot, uint64_t offset, double &sign) const {
    const double entry = static_cast<double>(args.entries[slot][offset]);
    if (!args.isLog[slot]) {
      sign = entry < 0 ? -sign : sign;
      return std::log2(std::abs(entry));
    }
    if (args.signs[slot] != nullptr)
      sign *= args.signs[slot][offset];
    return entry;
  }
  double product(const DigitLoop &kept, const DigitLoop &reduced, double &sign) const {
    double sum = 0;
    sign = 1;
    for (size_t s = 0; s < args.op->operandCount; ++s)
      sum += load(s, kept.offset(s) + reduced.offset(s), sign);
    return sum;
  }
};

template <class T> void runLogEntries(const RunArgs<T> &args, WrittenRange<T> &range) {
  const CpuOperation &op = *args.op;
  const LogTerms<T> terms{args};
  DigitLoop kept(op.kept, op.slotCount()), reduced(op.reduced, op.operandCount);
  do {
    // A sum is that of sign * 2^(term - maximum), rescaled whenever the maximum grows.
    double maximum = -kInfinity, sum = 0, sign = 1;
    double best = op.semiring == StoredSemiring::MinTimes ? kInfinity : -kInfinity;
    do {
      const double term = terms.product(kept, reduced, sign);
      if (op.semiring != StoredSemiring::SumTimes) {
        best = reducedBy(op.semiring, best, term);
      } else if (term > maximum) {
        sum = sum * std::exp2(maximum - term) + sign;
        maximum = term;
      } else if (term != -kInfinity) {
        sum += sign * std::exp2(term - maximum);
      }
    } while (reduced.next());
    if (op.semiring == StoredSemiring::SumTimes)
      best = maximum == -kInfinity ? -kInfinity : maximum + std::log2(std::abs(sum));
    const T entry = static_cast<T>(best - args.shift);
    const uint64_t offset = kept.offset(op.operandCount);
    args.result[offset] = entry;
    if (args.resultSigns != nullptr)
      args.resultSigns[offset] = sum < 0 ? -1 : 1;
    if (entry != -std::numeric_limits<T>::infinity())
      range.add(entry);
  } while (kept.next());
}

/// Computes linear entries: sums in double, in the order of the addresses. `M`: number of operands;
/// 0: any number.
template <class T, StoredSemiring S, size_t M> class LinearEntries {
public:
  explicit LinearEntries(const RunArgs<T> &args)
      : args_(args), kept_(args.op->lists->kept), reduced_(args.op->lists->reduced),
        factor_(powerOfTwo(-args.shift)) {}

  void run(WrittenRange<T> &range) {
    if (kept_.outer.empty()) {
      writeListed({}, range);
      return;
    }
    DigitLoop outer(kept_.outer, operands() + 1);
    do {
      Offsets at;
      for (size_t s = 0; s <= operands(); ++s)
        at[s] = outer.offset(s);
      writeListed(at, range);
    } while (outer.next());
  }

private:
  size_t operands() const { return M != 0 ? M : args_.op->operandCount; }
  using Offsets = std::array<uint64_t, (M != 0 ? M : kMaxBundleOperands) + 1>;
  using Tables = std::array<const T *, M != 0 ? M : kMaxBundleOperands>;

  void writeListed(const Offsets &outer, WrittenRange<T> &range) {
    WrittenRange<T> seen; // in registers: stores could alias `range`
    const uint32_t *at = kept_.offsets.data();
    for (uint32_t i = 0; i < kept_.count; ++i, at += operands() + 1) {
      Tables from;
      for (size_t s = 0; s < operands(); ++s)
        from[s] = args_.entries[s] + outer[s] + at[s];
      const T entry = static_cast<T>(reduced(from) * factor_);
      args_.result[outer[operands()] + at[operands()]] = entry;
      if (entry != 0)
        seen.add(std::abs(entry));
    }
    range.merge(seen);
  }

  double reduced(const Tables &from) const {
    constexpr std::array<double, kStoredSemirings> kIdentity{0, 0, kInfinity, -kInfinity,
                                                             kInfinity};
    double sum = kIdentity[static_cast<size_t>(S)];
    if (reduced_.outer.empty()) {
      addListed(from, sum);
      return sum;
    }
    DigitLoop outer(reduced_.outer, operands());
    do {
      Tables terms = from;
      for (size_t s = 0; s < operands(); ++s)
        terms[s] += outer.offset(s);
      addListed(terms, sum);
    } while (outer.next());
    return sum;
  }

  void addListed(const Tables &from, double &sum) const {
    const uint32_t *at = reduced_.offsets.data();
    for (uint32_t i = 0; i < reduced_.count; ++i, at += operands()) {
      double product = static_cast<double>(from[0][at[0]]);
      for (size_t s = 1; s < operands(); ++s)
        product = combined(S, product, static_cast<double>(from[s][at[s]]));
      sum = reducedBy(S, sum, product);
    }
  }

  const RunArgs<T> &args_;
  const EntryList &kept_, &reduced_;
  const double factor_;
};

template <class T, StoredSemiring S>
void runLinearEntries(const RunArgs<T> &args, WrittenRange<T> &range) {
  switch (args.op->operandCount) {
  case 1:
    return LinearEntries<T, S, 1>(args).run(range);
  case 2:
    return LinearEntries<T, S, 2>(args).run(range);
  case 3:
    return LinearEntries<T, S, 3>(args).run(range);
  default:
    return LinearEntries<T, S, 0>(args).run(range);
  }
}

} // namespace

template <class T> void runEntries(const RunArgs<T> &args, WrittenRange<T> &range) {
  if (args.log)
    return runLogEntries(args, range);
  switch (args.op->semiring) {
  case StoredSemiring::SumTimes:
    return runLinearEntries<T, StoredSemiring::SumTimes>(args, range);
  case StoredSemiring::MaxTimes:
    return runLinearEntries<T, StoredSemiring::MaxTimes>(args, range);
  case StoredSemiring::MinTimes:
    return runLinearEntries<T, StoredSemiring::MinTimes>(args, range);
  case StoredSemiring::MaxPlus:
    return runLinearEntries<T, StoredSemiring::MaxPlus>(args, range);
  case StoredSemiring::MinPlus:
    return runLinearEntries<T, StoredSemiring::MinPlus>(args, range);
  }
  MPF_UNREACHABLE("semiring {}", static_cast<int>(args.op->semiring));
}

template void runEntries(const RunArgs<double> &, WrittenRange<double> &);
template void runEntries(const RunArgs<float> &, WrittenRange<float> &);

} // namespace mpf
