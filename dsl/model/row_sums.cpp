#include "dsl/model/row_sums.h"

#include <cmath>

namespace mpf {

std::optional<RowFault> findRowFault(std::span<const double> values, uint64_t childExtent,
                                     uint64_t firstRow) {
  for (uint64_t row = firstRow; row * childExtent < values.size(); ++row) {
    RowFault fault;
    fault.row = row;
    for (uint64_t state = 0; state < childExtent; ++state) {
      const double value = values[row * childExtent + state];
      fault.sum += value;
      if (value < 0 && !fault.negative)
        fault.negative = state;
    }
    // The negated comparison treats NaN and infinite sums as faults too.
    if (fault.negative || !(std::abs(fault.sum - 1) <= kRowSumTolerance))
      return fault;
  }
  return std::nullopt;
}

bool areRowsTaken(std::span<const double> values, uint64_t childExtent) {
  for (auto fault = findRowFault(values, childExtent); fault;
       fault = findRowFault(values, childExtent, fault->row + 1))
    if (!fault->isRounding())
      return false;
  return true;
}

bool RowFault::isRounding() const { return !negative && std::abs(sum - 1) <= kMostRounding; }

bool RowFault::isDivisible() const { return !negative && sum > 0 && std::isfinite(sum); }

std::string RowFault::sumText() const { return fmt::format("{:.9g}", sum); }

void divideRow(std::span<double> row, double sum) {
  for (double &entry : row)
    entry /= sum;
}

void RowSumReport::Kind::add(const RowFault &fault, const Describe &describe) {
  if (count++ != 0 && !(std::abs(fault.sum - 1) > std::abs(worst.sum - 1)))
    return;
  worst = fault;
  described = describe();
}

void RowSumReport::report(Diagnostics &diagnostics, std::string_view remedy) const {
  const auto text = [](const Kind &kind, const char *one, const char *several) {
    return kind.count == 1
               ? fmt::format("{} sums to {}, not to 1, and {}", kind.described.row,
                             kind.worst.sumText(), one)
               : fmt::format("{} rows of conditional tables do not sum to 1 and {}; the worst, {}, "
                             "sums to {}",
                             kind.count, several, kind.described.row, kind.worst.sumText());
  };
  if (taken_.count != 0)
    diagnostics.report({Severity::Warning, taken_.described.place,
                        text(taken_, "is taken as it is", "are taken as they are"),
                        std::string(remedy)});
  if (negative_.count == 1)
    diagnostics.warning(negative_.described.place, "{} has an entry below 0, and is taken as it is",
                        negative_.described.row);
  if (negative_.count > 1)
    diagnostics.warning(negative_.described.place,
                        "{} rows of conditional tables have an entry below 0 and are taken as they "
                        "are; one is {}",
                        negative_.count, negative_.described.row);
  if (divided_.count != 0)
    diagnostics.note(divided_.described.place, "{}",
                     text(divided_, "is divided by its sum", "are divided by their sums"));
}

} // namespace mpf
