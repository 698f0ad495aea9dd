// TABLE FORMULA: how the entries of a table follow from parameters that cases may set. Where no
// case sets one, a table is numbers, and has no formula.
#pragma once

#include "dsl/support/expression/evaluate_expression.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mpf {

/// The entries [begin, end) of a table are values of one expression, at the states of each.
struct FormulaPart {
  uint64_t begin = 0, end = 0;
  Expression expression; ///< State: place in the scope; Param: place in Model::params
  friend bool operator==(const FormulaPart &, const FormulaPart &) = default;
};

struct TableFormula {
  std::vector<uint32_t> extents; ///< of the scope; the table is row-major, the last one fastest
  /// All entries (StoredValues), with the model's values of the parameters. Those that no part has
  /// are the same in all cases.
  std::shared_ptr<const std::vector<double>> values;
  std::vector<FormulaPart> parts; ///< ascending, disjoint, none empty, each with a parameter

  uint64_t elems() const; ///< of the table, saturating
};

/// The states of the variables of a row-major table over `extents` at entry `index`.
void statesAt(std::span<const uint32_t> extents, uint64_t index, std::vector<uint32_t> &states);
/// What gives entry `index`; null: it is the same in all cases.
const Expression *expressionAt(const TableFormula &formula, uint64_t index);

/// The parameters that the table depends on: slots, ascending.
std::vector<uint32_t> paramsOf(const TableFormula &formula);

/// What is wrong with a formula of a model with `paramCount` parameters; empty: nothing.
std::string findFormulaFault(const TableFormula &formula, size_t paramCount);

/// An entry that no normal double holds, in one of the cases.
struct FarEntry {
  uint32_t place = 0; ///< of the case
  uint64_t entry = 0;
  ScaledNumber value; ///< beyond any exponent: isLost
};

/// Evaluates formulas for blocks of cases. Keeps memory between calls; not thread-safe.
class FormulaEvaluator {
public:
  /// table[e * pitch + i] = entry e in case i of `count`, in which parameter p has the value
  /// params[p][i]; parameters that the formula does not use may be null. What no normal double
  /// holds is the nearest one there, and told by entries, then cases.
  std::vector<FarEntry> evaluate(const TableFormula &formula, std::span<const double *const> params,
                                 uint32_t count, uint32_t pitch, double *table);

private:
  ExpressionEvaluator evaluator_;
};

} // namespace mpf
