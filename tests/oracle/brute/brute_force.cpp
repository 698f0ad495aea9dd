#include "tests/oracle/brute/brute_force.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mpf::oracle {

namespace {

constexpr long double kInfinity = std::numeric_limits<long double>::infinity();
constexpr long double kLog2E = 1.442695040888963407359924681001892137L;

/// Visits all addresses of the operation; f(result offset, operand offsets).
template <class F> void forAddresses(const BundleOperation &operation, F f) {
  std::vector<uint64_t> values(operation.digits.size(), 0);
  std::vector<uint64_t> offsets(operation.operands.size());
  const auto offsetOf = [&](const BundleAccess &access) {
    uint64_t offset = 0;
    for (size_t d = 0; d < values.size(); ++d)
      offset += values[d] * access.stridesElems[d];
    return offset;
  };
  bool more = true;
  while (more) {
    for (size_t i = 0; i < offsets.size(); ++i)
      offsets[i] = offsetOf(operation.operands[i]);
    f(offsetOf(operation.result), offsets);
    more = false;
    for (size_t d = values.size(); d-- > 0 && !more;) {
      more = ++values[d] < operation.digits[d].extent;
      values[d] = more ? values[d] : 0;
    }
  }
}

/// Input values restricted to the observed states; for tests whose layout is the scope's order.
std::vector<double> restricted(const Bundle &bundle, const BundleInput &input) {
  std::vector<double> values;
  const std::vector<double> &all = *bundle.tables[*input.table];
  for (size_t i = 0; i < all.size(); ++i) {
    size_t rest = i;
    bool consistent = true;
    for (size_t s = input.scope.size(); s-- > 0;) {
      const uint32_t extent = bundle.variables[input.scope[s].index()].extent;
      consistent &= bundle.evidence.state(input.scope[s]).value_or(rest % extent) == rest % extent;
      rest /= extent;
    }
    if (consistent)
      values.push_back(all[i]);
  }
  return values;
}

LogValue logValue(double value, bool isLog) {
  if (isLog)
    return {value * kLog2E, value == -std::numeric_limits<double>::infinity() ? 0 : 1};
  return {std::log2(std::abs(static_cast<long double>(value))), (value > 0) - (value < 0)};
}

/// Running sum of signed values, and of bounds of their magnitudes, relative to the greatest bound.
struct Accumulator {
  long double greatest = -kInfinity, sum = 0, magnitude = 0;

  /// Adds a term; `bound`, in log2, is not less than the term's magnitude.
  void add(const LogValue &term, long double bound) {
    if (bound == -kInfinity)
      return;
    if (bound > greatest) {
      const long double factor = greatest == -kInfinity ? 0 : std::exp2(greatest - bound);
      sum *= factor;
      magnitude *= factor;
      greatest = bound;
    }
    // Nearly all the time is spent in exp2: without cancellation below, both are the same.
    const long double size = bound == greatest ? 1 : std::exp2(bound - greatest);
    sum += term.sign * (term.log2 == bound ? size : std::exp2(term.log2 - greatest));
    magnitude += size;
  }
  LogValue value() const {
    if (sum == 0)
      return {-kInfinity, 0};
    return {std::log2(std::abs(sum)) + greatest, sum > 0 ? 1 : -1};
  }
  long double magnitudeLog2() const {
    return magnitude == 0 ? -kInfinity : std::log2(magnitude) + greatest;
  }
};

} // namespace

std::vector<ExpectedTable> bruteForce(const Bundle &bundle) {
  std::vector<ExpectedTable> tables(bundle.buffers.size());
  for (const BundleInput &input : bundle.inputs)
    for (const double value : restricted(bundle, input)) {
      ExpectedTable &table = tables[input.buffer.index()];
      table.entries.push_back(logValue(value, bundle.logInputs));
      table.magnitudes.push_back(table.entries.back().log2);
    }
  for (const BundleOperation &operation : bundle.operations) {
    const Reduce reduce = operation.semiring.reduce;
    const bool sums = reduce == Reduce::Sum || reduce == Reduce::LogSum;
    const size_t elems = bundle.buffer(operation.result.buffer).sizeElems;
    std::vector<Accumulator> sum(elems);
    std::vector<LogValue> best(elems);
    std::vector<bool> seen(elems, false);
    forAddresses(operation, [&](uint64_t to, const std::vector<uint64_t> &from) {
      LogValue term{0, 1};
      long double bound = 0;
      for (size_t i = 0; i < from.size(); ++i) {
        const ExpectedTable &operand = tables[operation.operands[i].buffer.index()];
        term.log2 += operand.entries[from[i]].log2;
        term.sign *= operand.entries[from[i]].sign;
        bound += operand.magnitudes[from[i]];
      }
      if (sums) {
        sum[to].add(term, bound);
        return;
      }
      const bool better =
          reduce == Reduce::Max ? term.log2 > best[to].log2 : term.log2 < best[to].log2;
      if (!seen[to] || better)
        best[to] = term;
      seen[to] = true;
    });
    ExpectedTable &result = tables[operation.result.buffer.index()];
    for (size_t i = 0; i < elems; ++i) {
      result.entries.push_back(sums ? sum[i].value() : best[i]);
      result.magnitudes.push_back(sums ? sum[i].magnitudeLog2() : best[i].log2);
    }
  }
  return tables;
}

std::vector<std::vector<long double>> bruteForcePlain(const Bundle &bundle) {
  std::vector<std::vector<long double>> tables(bundle.buffers.size());
  for (const BundleInput &input : bundle.inputs)
    for (const double value : restricted(bundle, input))
      tables[input.buffer.index()].push_back(value);
  for (const BundleOperation &operation : bundle.operations) {
    const bool max = operation.semiring.reduce == Reduce::Max;
    std::vector<long double> &result = tables[operation.result.buffer.index()];
    result.assign(bundle.buffer(operation.result.buffer).sizeElems, max ? -kInfinity : kInfinity);
    forAddresses(operation, [&](uint64_t to, const std::vector<uint64_t> &from) {
      long double sum = 0;
      for (size_t i = 0; i < from.size(); ++i)
        sum += tables[operation.operands[i].buffer.index()][from[i]];
      result[to] = max ? std::max(result[to], sum) : std::min(result[to], sum);
    });
  }
  return tables;
}

} // namespace mpf::oracle
