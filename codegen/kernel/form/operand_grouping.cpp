#include "codegen/kernel/form/operand_grouping.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <tuple>

namespace mpf {

namespace {
using OperandSet = uint32_t; ///< bit i = operand i

enum class DigitRole { None, Batch, Row, Column, Term };

DigitRole roleOf(const DigitForm &form, size_t digit, OperandSet rows) {
  if (form.digits[digit].extent == 1)
    return DigitRole::None;
  if (form.digits[digit].reduced)
    return DigitRole::Term;
  bool inRows = false, inColumns = false;
  for (size_t i = 0; i < form.operands.size(); ++i)
    if (form.operands[i].stridesElems[digit] != 0)
      ((rows >> i & 1) != 0 ? inRows : inColumns) = true;
  return inRows == inColumns ? DigitRole::Batch : inRows ? DigitRole::Row : DigitRole::Column;
}

double workOf(const DigitForm &form, OperandSet rows) {
  double sides[2] = {1, 1}, rest = 1;
  for (size_t d = 0; d < form.digits.size(); ++d) {
    const auto extent = static_cast<double>(form.digits[d].extent);
    const DigitRole role = roleOf(form, d, rows);
    if (role == DigitRole::Row || role == DigitRole::Column)
      sides[role == DigitRole::Column] *= extent;
    else
      rest *= extent;
  }
  const auto padded = [](double extent) {
    return extent < 1e15 ? static_cast<double>((static_cast<uint64_t>(extent) + 15) / 16 * 16)
                         : extent;
  };
  return padded(sides[0]) * padded(sides[1]) * rest;
}

/// Returns the kept digit with the least stride in the result.
size_t fastestKept(const DigitForm &form) {
  size_t fastest = form.digits.size();
  for (size_t d = 0; d < form.keptCount(); ++d)
    if (form.digits[d].extent > 1 &&
        (fastest == form.digits.size() ||
         form.result.stridesElems[d] < form.result.stridesElems[fastest]))
      fastest = d;
  return fastest;
}

OperandGrouping groupingBy(const DigitForm &form, OperandSet rows) {
  const size_t fastest = fastestKept(form);
  const OperandSet all = (OperandSet{1} << form.operands.size()) - 1;
  if (fastest < form.digits.size() && roleOf(form, fastest, rows) == DigitRole::Row)
    rows ^= all;
  OperandGrouping grouping;
  for (uint32_t i = 0; i < form.operands.size(); ++i)
    ((rows >> i & 1) != 0 ? grouping.rowOperands : grouping.columnOperands).push_back(i);
  for (size_t d = 0; d < form.digits.size(); ++d) {
    const DigitId digit(static_cast<uint32_t>(d));
    switch (roleOf(form, d, rows)) {
    case DigitRole::None:
      break;
    case DigitRole::Batch:
      grouping.batch.push_back(digit);
      break;
    case DigitRole::Row:
      grouping.rows.push_back(digit);
      break;
    case DigitRole::Column:
      grouping.columns.push_back(digit);
      break;
    case DigitRole::Term:
      grouping.terms.push_back(digit);
      break;
    }
  }
  MPF_CHECK(!grouping.rowOperands.empty() && !grouping.columnOperands.empty(),
            "{} row operands and {} column operands", grouping.rowOperands.size(),
            grouping.columnOperands.size());
  grouping.multiplyAdds = workOf(form, rows);
  return grouping;
}

double batchesOf(const DigitForm &form, OperandSet rows) {
  double batches = 1;
  for (size_t d = 0; d < form.digits.size(); ++d)
    if (roleOf(form, d, rows) == DigitRole::Batch)
      batches *= static_cast<double>(form.digits[d].extent);
  return batches;
}

/// Returns the number of sides with more than one operand, whose products have to be formed.
size_t formedSides(OperandSet rows, size_t operands) {
  const auto count = static_cast<size_t>(std::popcount(rows));
  return (count > 1) + (operands - count > 1);
}
} // namespace

std::vector<OperandGrouping> operandGroupings(const DigitForm &form, size_t limit) {
  // Groupings of equal work: few large products come first, then few sides that must be formed.
  using Ranked = std::tuple<double, double, size_t, OperandSet>;
  std::vector<Ranked> ranked;
  const size_t operands = form.operands.size();
  MPF_CHECK(operands <= kMaxOperands, "groups of {} operands, at most {} are searched", operands,
            kMaxOperands);
  for (OperandSet rows = 1; operands > 1 && rows < OperandSet{1} << (operands - 1); ++rows)
    ranked.emplace_back(workOf(form, rows), batchesOf(form, rows), formedSides(rows, operands),
                        rows);
  std::sort(ranked.begin(), ranked.end());
  std::vector<OperandGrouping> groupings;
  for (size_t i = 0; i < std::min(limit, ranked.size()); ++i)
    groupings.push_back(groupingBy(form, std::get<OperandSet>(ranked[i])));
  return groupings;
}

double leastMatrixWork(const DigitForm &form) {
  double least = std::numeric_limits<double>::infinity();
  const size_t operands = form.operands.size();
  MPF_CHECK(operands <= kMaxOperands, "groups of {} operands, at most {} are searched", operands,
            kMaxOperands);
  for (OperandSet rows = 1; operands > 1 && rows < OperandSet{1} << (operands - 1); ++rows)
    least = std::min(least, workOf(form, rows));
  return least;
}

} // namespace mpf
