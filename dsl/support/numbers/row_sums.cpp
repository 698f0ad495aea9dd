#include "dsl/support/numbers/row_sums.h"

#include "dsl/support/check.h"
#include "dsl/support/numbers/scaled_sum.h"
#include "dsl/support/numbers/scaled_text.h"

#include <cmath>
#include <fmt/format.h>

namespace mpf {

namespace {

constexpr int kSumDigits = 9;

/// Finds faults of rows of doubles. Sums that no normal double holds are left to the caller.
std::optional<RowFault> findFaultInDoubles(const StoredValues &values, uint64_t childExtent,
                                           uint64_t firstRow, double tolerance) {
  for (uint64_t row = firstRow; row * childExtent < values.size(); ++row) {
    std::optional<uint64_t> negative;
    double sum = 0;
    for (uint64_t state = 0; state < childExtent; ++state) {
      const double value = values.mantissa(row * childExtent + state);
      sum += value;
      if (value < 0 && !negative)
        negative = state;
    }
    // The negated comparison treats NaN and infinite sums as faults too.
    if (negative || !(std::abs(sum - 1) <= tolerance))
      return RowFault{row, ScaledNumber::fromValue(sum), negative};
  }
  return std::nullopt;
}

} // namespace

std::optional<RowFault> findRowFault(const StoredValues &values, uint64_t childExtent,
                                     uint64_t firstRow, double tolerance) {
  if (!values.isWide()) {
    auto fault = findFaultInDoubles(values, childExtent, firstRow, tolerance);
    if (fault && !std::isfinite(fault->sum.mantissa))
      fault->sum = scaledSum(values, fault->row * childExtent, childExtent);
    return fault;
  }
  for (uint64_t row = firstRow; row * childExtent < values.size(); ++row) {
    RowFault fault{row, scaledSum(values, row * childExtent, childExtent), {}};
    for (uint64_t state = 0; state < childExtent && !fault.negative; ++state)
      if (values.mantissa(row * childExtent + state) < 0)
        fault.negative = state;
    if (!fault.isWithin(tolerance))
      return fault;
  }
  return std::nullopt;
}

bool isFartherFromOne(const ScaledNumber &a, const ScaledNumber &b) {
  const double mine = std::abs(a.nearest() - 1), other = std::abs(b.nearest() - 1);
  return mine > other || (std::isinf(mine) && std::isinf(other) && a.log2() > b.log2());
}

bool areRowsTaken(const StoredValues &values, uint64_t childExtent) {
  return !findRowFault(values, childExtent, 0, kMostRounding);
}

void requireRows(std::string_view factor, const StoredValues &values, uint64_t rowElems) {
  if (rowElems == 0)
    return;
  const auto fault = findRowFault(values, rowElems, 0, kMostRounding);
  if (fault && fault->negative)
    fail(ErrorKind::BadInput, "factor {}: entry {} is below 0, and no entry of a prob may be",
         factor, fault->row * rowElems + *fault->negative);
  if (fault)
    fail(ErrorKind::BadInput, "factor {}: row {} sums to {}, it must be 1", factor, fault->row,
         fault->sumText());
}

bool RowFault::isWithin(double distance) const {
  return !negative && std::abs(sum.nearest() - 1) <= distance;
}

bool RowFault::isDivisible() const {
  return !negative && sum.mantissa > 0 && std::isfinite(sum.mantissa);
}

std::string RowFault::rowSumText(const ScaledNumber &sum) {
  const std::optional<double> plain = sum.value();
  return plain ? fmt::format("{:.{}g}", *plain, kSumDigits) : formatScaled(sum, kSumDigits);
}

} // namespace mpf
