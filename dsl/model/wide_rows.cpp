#include "dsl/model/wide_rows.h"

#include "dsl/support/expression/wide_arithmetic.h"

#include <cmath>

namespace mpf {

namespace {

WideValue wideOf(const ScaledNumber &number) {
  const auto plain = number.value();
  return plain ? WideValue::of(*plain) : WideValue{number.mantissa, number.exponent};
}

} // namespace

double divideRow(std::span<ScaledNumber> row) {
  std::vector<WideValue> entries;
  WideValue sum;
  for (const ScaledNumber &entry : row) {
    entries.push_back(wideOf(entry));
    sum = applyWideBinary(OpCode::Add, sum, entries.back());
  }
  if (sum.isLost() || !(sum.value > 0) || std::isinf(sum.value))
    return sum.isPlain() ? sum.value : 0;
  for (WideValue &entry : entries)
    if (entry = applyWideBinary(OpCode::Divide, entry, sum); entry.isLost())
      return 0;
  for (size_t i = 0; i < row.size(); ++i)
    row[i] = entries[i].number();
  return sum.isPlain() ? sum.value : 1;
}

DividedTable::DividedTable(const StoredValues &values, uint64_t extent) : extent_(extent) {
  for (uint64_t i = 0; i < values.size(); ++i)
    numbers_.push_back(values.at(i));
}

bool DividedTable::divide(uint64_t row) {
  const double sum = divideRow(std::span(numbers_).subspan(row * extent_, extent_));
  const bool isDone = sum > 0 && std::isfinite(sum);
  isDivided_ |= isDone;
  return isDone;
}

} // namespace mpf
