#include "dsl/support/expression/table_formula.h"

#include "dsl/support/counts.h"
#include "dsl/support/expression/check_expression.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>

namespace mpf {

void statesAt(std::span<const uint32_t> extents, uint64_t index, std::vector<uint32_t> &states) {
  states.resize(extents.size());
  for (size_t i = extents.size(); i-- > 0; index /= extents[i])
    states[i] = static_cast<uint32_t>(index % extents[i]);
}

const Expression *expressionAt(const TableFormula &formula, uint64_t index) {
  const auto after = std::ranges::upper_bound(formula.parts, index, {}, &FormulaPart::begin);
  if (after == formula.parts.begin() || std::prev(after)->end <= index)
    return nullptr;
  return &std::prev(after)->expression;
}

std::vector<uint32_t> paramsOf(const TableFormula &formula) {
  std::set<uint32_t> slots;
  for (const FormulaPart &part : formula.parts)
    addParamsOf(part.expression, slots);
  return {slots.begin(), slots.end()};
}

uint64_t TableFormula::elems() const {
  uint64_t elems = 1;
  for (const uint32_t extent : extents)
    elems = saturatingMul(elems, extent);
  return elems;
}

std::string findFormulaFault(const TableFormula &formula, size_t paramCount) {
  const uint64_t elems = formula.elems();
  uint64_t end = 0;
  if (!formula.values || !holdsValues(formula.values->size(), elems))
    return fmt::format("{} values, its scope needs {}", formula.values ? formula.values->size() : 0,
                       elems);
  if (formula.parts.empty())
    return "no parts";
  for (const FormulaPart &part : formula.parts) {
    if (part.begin < end || part.end <= part.begin || part.end > elems)
      return fmt::format("a part of entries {} to {} behind {}, of {}", part.begin, part.end, end,
                         elems);
    end = part.end;
    if (!part.expression.usesParams())
      return fmt::format("a part of entries {} to {} without a parameter", part.begin, part.end);
    std::string fault = findExpressionFault(part.expression, formula.extents.size(), paramCount);
    if (!fault.empty())
      return fault;
  }
  return "";
}

std::vector<FarEntry> FormulaEvaluator::evaluate(const TableFormula &formula,
                                                 std::span<const double *const> params,
                                                 uint32_t count, uint32_t pitch, double *table) {
  std::vector<FarEntry> far;
  std::vector<uint32_t> states;
  const StoredValues values(*formula.values, formula.elems());
  for (uint64_t e = 0; e < values.size(); ++e) {
    const std::span<double> row(table + e * pitch, count);
    const Expression *const expression = expressionAt(formula, e);
    if (expression == nullptr) {
      const ScaledNumber value = values.at(e);
      std::ranges::fill(row, values.isWide() ? value.nearest() : values.mantissa(e));
      if (values.isWide() && !value.value())
        for (uint32_t i = 0; i < count; ++i)
          far.push_back({i, e, value});
      continue;
    }
    statesAt(formula.extents, e, states);
    for (const FarValue &one : evaluator_.evaluateCases(*expression, states, params, row))
      far.push_back({static_cast<uint32_t>(one.index), e, one.value});
  }
  return far;
}

} // namespace mpf
