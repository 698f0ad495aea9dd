#include "codegen/bundle/head/formula_set_fault.h"

#include "dsl/support/expression/check_expression.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace mpf {

namespace {

std::string derivationFault(const FormulaParam &param, size_t slot) {
  if (param.derivation.code.empty())
    return "";
  const std::string fault = findDerivationFault(param.derivation, slot);
  if (!fault.empty())
    return fmt::format("parameter {} follows from {}", param.name, fault);
  return param.swept.empty() ? "" : fmt::format("parameter {} is swept and follows", param.name);
}

std::string paramFault(const FormulaSet &set, const CaseSchema &schema) {
  std::set<std::string> names;
  for (size_t slot = 0; slot < set.params.size(); ++slot) {
    const FormulaParam &param = set.params[slot];
    if (std::string fault = derivationFault(param, slot); !fault.empty())
      return fault;
    if (!names.insert(param.name).second)
      return fmt::format("parameter {} twice", param.name);
    if (std::isnan(param.value)) // `inf` is a number of the language; no case gives it
      return fmt::format("parameter {} is {}", param.name, param.value);
    if (!param.swept.empty() && std::ranges::find(schema.params, param.name) == schema.params.end())
      return fmt::format("parameter {} is swept, and no case sets it", param.name);
    for (const double value : param.swept)
      if (!std::isfinite(value))
        return fmt::format("parameter {} is {} in its sweep", param.name, value);
  }
  for (const std::string &param : schema.params)
    if (!set.tables.empty() && !names.contains(param))
      return fmt::format("no parameter is called {}", param);
  return "";
}

std::string tableFault(const CaseFormula &formula, const VaryingTable &table, size_t params) {
  const std::string fault =
      formula.formula ? findFormulaFault(*formula.formula, params) : "there is none";
  if (!fault.empty())
    return fault;
  const TableFormula &what = *formula.formula;
  if (what.elems() != table.sizeElems)
    return fmt::format("{} entries, its table has {}", what.elems(), table.sizeElems);
  if (formula.rowElems != 0 && (what.extents.empty() || formula.rowElems != what.extents.back()))
    return fmt::format("rows of {} entries", formula.rowElems);
  return formula.nonNegative == table.nonNegative ? "" : "its table may be negative, or it may";
}

} // namespace

std::string formulaSetFault(const FormulaSet &set, const CaseSchema &schema) {
  const std::string fault = paramFault(set, schema);
  if (!fault.empty())
    return fault;
  if (set.tables.size() > schema.tables.size())
    return fmt::format("{} formulas for {} tables of the cases", set.tables.size(),
                       schema.tables.size());
  for (size_t f = 0; f < set.tables.size(); ++f) {
    const VaryingTable &table = schema.tables[schema.tables.size() - set.tables.size() + f];
    const std::string wrong = tableFault(set.tables[f], table, set.params.size());
    if (!wrong.empty())
      return fmt::format("formula {}: {}", set.tables[f].name, wrong);
  }
  return "";
}

} // namespace mpf
