// The recomputation shares nothing with the kernels that it checks. It computes one entry at a time
// in long double, with every value as sign and log2.
#include "runtime/execute/host/verify_operation.h"

#include "dsl/support/check.h"
#include "runtime/execute/host/digit_address.h"
#include "runtime/result/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace mpf {

namespace {

using Long = long double;
constexpr Long kLongInfinity = std::numeric_limits<Long>::infinity();

/// One recomputed entry: its value, and the magnitude to which rounding errors are relative.
struct Expected {
  Long value = 0;
  Long magnitude = 0;
  Long log2Scale = 0; ///< both numbers are times 2^log2Scale
};

class Recomputation {
public:
  Recomputation(const BundleOperation &operation, std::span<const TableView> operands)
      : operation_(operation), operands_(operands), plain_(addsPlainValues(operation.semiring)),
        sums_(addsTerms(operation.semiring)), min_(operation.semiring.reduce == Reduce::Min),
        address_(operation.digits) {}

  bool plain() const { return plain_; }
  /// Returns the greatest |log2 entry| of all tables read, to which rounding errors in log form are
  /// relative.
  Long logMagnitude() const { return logMagnitude_; }

  uint64_t setKept(uint64_t entry) {
    address_.setKept(entry);
    return address_.offset(operation_.result);
  }

  /// Makes two passes over the terms: the first finds the greatest, the second computes relative to
  /// it.
  Expected recompute() {
    Expected expected;
    if (!plain_) {
      Long greatest = -kLongInfinity;
      forTerms([&](Long log2, int, Long) { greatest = std::max(greatest, log2); });
      expected.log2Scale = greatest == -kLongInfinity ? 0 : greatest;
    }
    bool first = true;
    forTerms([&](Long term, int sign, Long magnitude) {
      const Long value = plain_ ? term : sign * std::exp2(term - expected.log2Scale);
      if (sums_)
        expected.value += value;
      else
        expected.value = first  ? value
                         : min_ ? std::min(expected.value, value)
                                : std::max(expected.value, value);
      expected.magnitude =
          plain_ ? std::max(expected.magnitude, magnitude) : expected.magnitude + std::abs(value);
      first = false;
    });
    return expected;
  }

private:
  /// Calls f(log2 of the product, its sign, 0) for every value of the reduced digits. For plain
  /// values calls f(sum, 1, sum of finite magnitudes), because costs may cancel.
  template <class F> void forTerms(F f) {
    do {
      Long sum = 0, magnitude = 0;
      int sign = 1;
      for (size_t i = 0; i < operands_.size(); ++i) {
        const TableView &table = operands_[i];
        const uint64_t at = address_.offset(operation_.operands[i]);
        if (plain_) {
          const auto entry = static_cast<Long>(table.entry(at));
          sum += entry;
          magnitude += std::isfinite(entry) ? std::abs(entry) : 0;
          continue;
        }
        const Long log2 = table.isLog() ? static_cast<Long>(table.entry(at))
                                        : std::log2(std::abs(static_cast<Long>(table.entry(at))));
        if (std::isfinite(log2))
          logMagnitude_ = std::max(logMagnitude_, std::abs(log2));
        sum += log2 + static_cast<Long>(table.state.scale);
        sign *= table.sign(at);
      }
      f(sum, sign, magnitude);
    } while (address_.nextTerm());
  }

  const BundleOperation &operation_;
  std::span<const TableView> operands_;
  bool plain_, sums_, min_;
  DigitAddress address_;
  Long logMagnitude_ = 0;
};

/// Returns evenly spread entries, including the first and the last; fewer if the sums are long.
std::vector<uint64_t> sampledEntries(const BundleOperation &operation, size_t samples) {
  const uint64_t kept = operation.keptAddresses(), terms = operation.reducedAddresses();
  constexpr uint64_t kTermLimit = 1'000'000;
  const uint64_t count =
      std::min({uint64_t{samples}, kept, std::max<uint64_t>(1, kTermLimit / terms)});
  std::vector<uint64_t> entries;
  for (uint64_t i = 0; i < count; ++i)
    entries.push_back(static_cast<uint64_t>(static_cast<Long>(kept - 1) * static_cast<Long>(i) /
                                            static_cast<Long>(std::max<uint64_t>(1, count - 1))));
  return entries;
}

} // namespace

void verifyOperation(const BundleOperation &operation, std::span<const TableView> operands,
                     const TableView &result, size_t samples) {
  const std::vector<uint64_t> entries = sampledEntries(operation, samples);
  if (isIntegerType(result.type))
    return verifyIntegerOperation(operation, operands, result, entries);
  Recomputation recomputation(operation, operands);
  const Long epsilon = result.type == ElementType::F64 ? 0x1p-52L : 0x1p-23L;
  for (const uint64_t entry : entries) {
    const uint64_t at = recomputation.setKept(entry);
    const Expected expected = recomputation.recompute();
    Long found = static_cast<Long>(result.entry(at));
    Long tolerance = static_cast<Long>(operationTolerance(result.type));
    if (!recomputation.plain()) {
      const Long log2 = result.isLog() ? found : std::log2(std::abs(found));
      found = result.sign(at) *
              std::exp2(log2 + static_cast<Long>(result.state.scale) - expected.log2Scale);
      // Rounding errors of entries in log form are relative to the entries' magnitude.
      tolerance +=
          8 * epsilon * (recomputation.logMagnitude() + (std::isfinite(log2) ? std::abs(log2) : 0));
    }
    const bool close = found == expected.value ||
                       std::abs(found - expected.value) <= tolerance * expected.magnitude;
    if (!close)
      fail(ErrorKind::Verification,
           "operation {}: entry {} is {} but its definition gives {} (both times 2^{})",
           operation.name, at, static_cast<double>(found), static_cast<double>(expected.value),
           static_cast<double>(expected.log2Scale));
  }
}

void verifySame(const Bundle &bundle, const BundleOperation &last, const TableView &together,
                const TableView &oneByOne, size_t samples) {
  if (bundle.signedValues && last.semiring.reduce == Reduce::Sum)
    return;
  const bool plain = addsPlainValues(last.semiring);
  const double tolerance = 2 * operationTolerance(together.type);
  const uint64_t count = std::min<uint64_t>(samples, together.sizeElems);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t at = i * (together.sizeElems / count);
    const auto value = [&](const TableView &table) {
      return plain ? table.entry(at) : table.log2Entry(at) + table.state.scale;
    };
    const double a = value(together), b = value(oneByOne);
    if (!closeLogs(a, b, tolerance))
      fail(ErrorKind::Verification,
           "chain to {}: entry {} is {} as one kernel, {} one operation at a time{}", last.name, at,
           a, b, plain ? "" : " (log2)");
  }
}

} // namespace mpf
