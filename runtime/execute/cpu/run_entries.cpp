// Few addresses: plain loops over single entries, in double whatever the element type. Programs
// have thousands of these operations, so there is no set-up to speak of.
#include "runtime/execute/cpu/cpu_run.h"

#include "runtime/execute/cpu/reduce_entries.h"

#include <cmath>

namespace mpf {

namespace {

double combined(StoredSemiring semiring, double a, double b) {
  return semiring == StoredSemiring::MaxPlus || semiring == StoredSemiring::MinPlus ? a + b : a * b;
}

/// One product as sign and log2 magnitude.
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
    // Sum: sum of sign * 2^(term - maximum), rescaled whenever the maximum grows.
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

} // namespace

template <class T> void runEntries(const RunArgs<T> &args, WrittenRange<T> &range) {
  if (args.log)
    return runLogEntries(args, range);
  const CpuOperation &op = *args.op;
  constexpr std::array<double, kStoredSemirings> kIdentity{0, 0, kInfinity, -kInfinity, kInfinity};
  const double identity = kIdentity[static_cast<size_t>(op.semiring)];
  const double factor = std::ldexp(1.0, -args.shift);
  DigitLoop kept(op.kept, op.slotCount()), reduced(op.reduced, op.operandCount);
  do {
    double acc = identity;
    do {
      double product = static_cast<double>(args.entries[0][kept.offset(0) + reduced.offset(0)]);
      for (size_t s = 1; s < op.operandCount; ++s)
        product =
            combined(op.semiring, product,
                     static_cast<double>(args.entries[s][kept.offset(s) + reduced.offset(s)]));
      acc = reducedBy(op.semiring, acc, product);
    } while (reduced.next());
    const T entry = static_cast<T>(acc * factor);
    args.result[kept.offset(op.operandCount)] = entry;
    if (entry != 0)
      range.add(std::abs(entry));
  } while (kept.next());
}

template void runEntries(const RunArgs<double> &, WrittenRange<double> &);
template void runEntries(const RunArgs<float> &, WrittenRange<float> &);

} // namespace mpf
