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

std::string findFormulaFault(const TableFormula &formula, size_t paramCount) {
  uint64_t elems = 1, end = 0;
  for (const uint32_t extent : formula.extents)
    elems = saturatingMul(elems, extent);
  if (!formula.values || formula.values->size() != elems)
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

void FormulaEvaluator::evaluate(const TableFormula &formula, std::span<const double *const> params,
                                uint32_t count, uint32_t pitch, double *table) {
  std::vector<uint32_t> states;
  for (uint64_t e = 0; e < formula.values->size(); ++e) {
    const std::span<double> row(table + e * pitch, count);
    const Expression *const expression = expressionAt(formula, e);
    if (expression == nullptr) {
      std::ranges::fill(row, (*formula.values)[e]);
      continue;
    }
    statesAt(formula.extents, e, states);
    evaluator_.evaluateCases(*expression, states, params, row);
  }
}

} // namespace mpf
