// `normalise(...)`: tables of counts, whose rows are divided by their sums.
#include "dsl/model/divided_table.h"
#include "dsl/model/tables/build_table.h"
#include "dsl/support/expression/check_expression.h"
#include "dsl/support/numbers/row_sums.h"
#include "dsl/support/numbers/scaled_sum.h"
#include "dsl/support/numbers/table_number.h"
#include "dsl/syntax/spelling.h"

#include <cmath>
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

bool normaliseRows(BuildContext &context, const ast::Value &value, const TableOwner &owner,
                   std::span<const FormulaPart> parts, uint64_t elems, uint64_t extent,
                   std::vector<double> &stored) {
  std::set<uint32_t> slots;
  for (const FormulaPart &part : parts)
    addParamsOf(part.expression, slots);
  if (!slots.empty()) {
    const Param &param = context.model.params[*slots.begin()];
    context.errorWithHint(value.range,
                          fmt::format("normalise(...) of {} depends on param '{}', which {}",
                                      excerpt(owner.name, 80), excerpt(param.name),
                                      param.isSwept ? "is swept" : "cases set"),
                          "write the division: [a / s, b / s] where s = a + b");
    return false;
  }
  const StoredValues values(stored, elems);
  const std::span<const VarId> scope(owner.scope);
  DividedTable divided(stored, elems, extent);
  for (uint64_t row = 0; row * extent < elems; ++row) {
    const ScaledNumber sum = scaledSum(values, row * extent, extent);
    const auto range = [&] { return rowRange(value, owner, row, extent); };
    for (uint64_t i = row * extent; i < (row + 1) * extent; ++i)
      if (values.mantissa(i) < 0) {
        context.error(range(), "the value of {} at {} is below 0, normalise(...) is for counts",
                      excerpt(owner.name, 80), entryText(context.model, scope, i));
        return false;
      }
    const bool isDivisible = sum.mantissa > 0 && std::isfinite(sum.mantissa);
    if (isDivisible && divided.divide(row))
      continue;
    const std::string name = excerpt(owner.name, 80);
    const bool isOnlyRow = scope.size() < 2;
    context.error(
        range(), "{} sums to {}, {}",
        isOnlyRow ? name
                  : fmt::format("row {} of {}",
                                entryText(context.model, scope.first(scope.size() - 1), row), name),
        RowFault::rowSumText(sum),
        isDivisible
            ? fmt::format("and a share of that is beyond what tables hold: {}", tableRangeText())
            : "normalise(...) cannot divide by that");
    return false;
  }
  stored = divided.take();
  return true;
}

} // namespace mpf
