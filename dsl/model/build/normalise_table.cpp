// `normalise(...)`: tables of counts, whose rows are divided by their sums.
#include "dsl/model/build/build_table.h"
#include "dsl/model/row_sums.h"
#include "dsl/support/expression/check_expression.h"
#include "dsl/syntax/spelling.h"

#include <cmath>
#include <numeric>
#include <set>

namespace mpf {

const ast::Value &normalisedValue(const ast::Value &value) {
  const auto *normalised = std::get_if<ast::NormalisedValue>(&value.node);
  return normalised == nullptr ? value : normalisedValue(normalised->of.front());
}

SourceRange rowRange(const ast::Value &value, const TableOwner &owner, uint64_t row,
                     uint64_t extent) {
  const ast::Value &written = normalisedValue(value);
  const auto *array = std::get_if<ast::ArrayLiteral>(&written.node);
  if (array && row < array->rows.size() && !array->shape.empty() && array->shape.back() == extent)
    return array->rows[row];
  return std::holds_alternative<ast::FileValue>(written.node) ? written.range : owner.range;
}

bool normaliseRows(BuildContext &context, const ast::Value &value, const TableOwner &owner,
                   uint64_t extent, std::span<double> values, const FormulaParts &parts) {
  std::set<uint32_t> slots;
  for (const FormulaPart &part : parts)
    addParamsOf(part.expression, slots);
  if (!slots.empty()) {
    context.error(value.range,
                  "normalise(...) of {} depends on param '{}', which cases set: write the division "
                  "into the expression",
                  excerpt(owner.name, 80), excerpt(context.model.params[*slots.begin()].name));
    return false;
  }
  const std::span<const VarId> scope(owner.scope);
  for (uint64_t row = 0; row * extent < values.size(); ++row) {
    const std::span<double> entries = values.subspan(row * extent, extent);
    const double sum = std::accumulate(entries.begin(), entries.end(), 0.0);
    if (sum > 0 && std::isfinite(sum)) {
      divideRow(entries, sum);
      continue;
    }
    context.error(rowRange(value, owner, row, extent),
                  "row {} of {} sums to {}, normalise(...) cannot divide by that",
                  entryText(context.model, scope.first(scope.empty() ? 0 : scope.size() - 1), row),
                  excerpt(owner.name, 80), sum);
    return false;
  }
  return true;
}

} // namespace mpf
