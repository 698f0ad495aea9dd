// `normalise(...)`: tables of counts, whose rows are divided by their sums.
#include "dsl/model/build/build_table.h"
#include "dsl/model/row_sums.h"
#include "dsl/support/expression/check_expression.h"
#include "dsl/support/expression/wide_arithmetic.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

namespace mpf {

const ast::Value &normalisedValue(const ast::Value &value) {
  const auto *normalised = std::get_if<ast::NormalisedValue>(&value.node);
  return normalised == nullptr ? value : normalisedValue(normalised->of.front());
}

SourceRange rowRange(const ast::Value &value, const TableOwner &owner, uint64_t row,
                     uint64_t extent) {
  const ast::Value &whole = normalisedValue(value);
  const auto *exp = std::get_if<ast::ExpValue>(&whole.node);
  const ast::Value &written = exp ? exp->logarithms.front() : whole;
  const auto *array = std::get_if<ast::ArrayLiteral>(&written.node);
  if (array && row < array->rows.size() && !array->shape.empty() && array->shape.back() == extent)
    return array->rows[row];
  return std::holds_alternative<ast::FileValue>(written.node) ? written.range : owner.range;
}

namespace {

/// A row of a table, from entry `begin` on, with entries that doubles do not hold. Returns the sum
/// that it was divided by, or the nearest finite double.
double divideWideRow(uint64_t begin, std::span<double> entries, std::vector<FarValue> &far) {
  std::vector<WideValue> row;
  for (const double entry : entries)
    row.push_back(WideValue::of(entry));
  const auto isOfRow = [&](const FarValue &one) {
    return one.index >= begin && one.index < begin + entries.size();
  };
  for (const FarValue &one : far)
    if (isOfRow(one))
      row[one.index - begin] = {one.value.mantissa, one.value.exponent};
  std::erase_if(far, isOfRow);
  WideValue sum;
  for (const WideValue &entry : row)
    sum = applyWideBinary(OpCode::Add, sum, entry);
  if (sum.isLost() || !(sum.value > 0) || std::isinf(sum.value))
    return sum.isPlain() ? sum.value : 0;
  for (size_t i = 0; i < row.size(); ++i) {
    const WideValue share = applyWideBinary(OpCode::Divide, row[i], sum);
    if (share.isLost())
      return 0;
    entries[i] = share.isPlain() ? share.value : share.number().nearest();
    if (!share.isPlain())
      far.push_back({begin + i, share.number()});
  }
  return 1;
}

/// The place of the first entry below 0.
std::optional<uint64_t> firstNegative(std::span<const double> values,
                                      std::span<const FarValue> far) {
  const auto plain = std::ranges::find_if(values, [](double value) { return value < 0; });
  auto first = static_cast<uint64_t>(plain - values.begin());
  for (const FarValue &one : far) // such entries may be -0 among the doubles
    if (one.value.mantissa < 0)
      first = std::min(first, one.index);
  return first == values.size() ? std::nullopt : std::optional(first);
}

} // namespace

bool normaliseRows(BuildContext &context, const ast::Value &value, const TableOwner &owner,
                   uint64_t extent, std::span<double> values, TableNotes &notes) {
  std::set<uint32_t> slots;
  for (const FormulaPart &part : notes.parts)
    addParamsOf(part.expression, slots);
  if (!slots.empty()) {
    context.error(value.range,
                  "normalise(...) of {} depends on param '{}', which cases set: write the division "
                  "into the expression",
                  excerpt(owner.name, 80), excerpt(context.model.params[*slots.begin()].name));
    return false;
  }
  if (const std::optional<uint64_t> negative = firstNegative(values, notes.far)) {
    context.error(rowRange(value, owner, *negative / extent, extent),
                  "the value of {} at {} is below 0, normalise(...) is for counts",
                  excerpt(owner.name, 80), entryText(context.model, owner.scope, *negative));
    return false;
  }
  const std::span<const VarId> scope(owner.scope);
  for (uint64_t row = 0; row * extent < values.size(); ++row) {
    const std::span<double> entries = values.subspan(row * extent, extent);
    double sum = 0;
    if (!notes.far.empty()) {
      sum = divideWideRow(row * extent, entries, notes.far);
    } else {
      sum = std::accumulate(entries.begin(), entries.end(), 0.0);
      if (sum > 0 && std::isfinite(sum))
        divideRow(entries, sum);
    }
    if (sum > 0 && std::isfinite(sum))
      continue;
    context.error(rowRange(value, owner, row, extent),
                  "row {} of {} sums to {}, normalise(...) cannot divide by that",
                  entryText(context.model, scope.first(scope.empty() ? 0 : scope.size() - 1), row),
                  excerpt(owner.name, 80), sum);
    return false;
  }
  return true;
}

} // namespace mpf
