// `normalise(...)`: tables of counts, whose rows are divided by their sums.
#include "dsl/model/build/build_table.h"
#include "dsl/model/row_sums.h"
#include "dsl/model/wide_rows.h"
#include "dsl/support/expression/check_expression.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

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

/// The rows of a table with entries that no double holds, one after the other.
class WideRows {
public:
  WideRows(std::span<double> values, std::vector<FarValue> &far) : values_(values), far_(far) {
    std::ranges::sort(far_, {}, &FarValue::index);
  }

  /// Divides the next row, of `extent` entries, by its sum, which it returns as divideRow does.
  double divideNext(uint64_t extent) {
    std::vector<ScaledNumber> row;
    for (uint64_t i = begin_; i < begin_ + extent; ++i)
      row.push_back(ScaledNumber::fromValue(values_[i]));
    for (; next_ < far_.size() && far_[next_].index < begin_ + extent; ++next_)
      row[far_[next_].index - begin_] = far_[next_].value;
    const double sum = divideRow(row);
    for (uint64_t i = 0; i < extent; ++i) {
      const auto plain = row[i].value();
      values_[begin_ + i] = plain ? *plain : row[i].nearest();
      if (!plain)
        divided_.push_back({begin_ + i, row[i]});
    }
    begin_ += extent;
    return sum;
  }

  /// When all rows were divided.
  void finish() { far_ = std::move(divided_); }

private:
  std::span<double> values_;
  std::vector<FarValue> &far_, divided_;
  uint64_t begin_ = 0;
  size_t next_ = 0; ///< the first far value that no row had
};

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
  WideRows wide(values, notes.far);
  const bool isWide = !notes.far.empty();
  for (uint64_t row = 0; row * extent < values.size(); ++row) {
    const std::span<double> entries = values.subspan(row * extent, extent);
    double sum = 0;
    if (isWide) {
      sum = wide.divideNext(extent);
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
  if (isWide)
    wide.finish();
  return true;
}

} // namespace mpf
