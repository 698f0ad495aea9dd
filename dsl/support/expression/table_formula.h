// TABLE FORMULA: how the entries of a table follow from parameters that cases may set. If no case
// sets one, the table consists of numbers and has no formula.
#pragma once

#include "dsl/support/expression/evaluate_expression.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mpf {

/// The entries [begin, end) of a table are values of one expression, each at its states.
struct FormulaPart {
  uint64_t begin = 0, end = 0;
  Expression expression; ///< State: place in the scope; Param: place in Model::params
  friend bool operator==(const FormulaPart &, const FormulaPart &) = default;
};

struct TableFormula {
  std::vector<uint32_t> extents; ///< of the scope; the table is row-major, the last one fastest
  /// All entries (StoredValues), for the model's values of the parameters. Entries without a part
  /// are equal in all cases.
  std::shared_ptr<const std::vector<double>> values;
  std::vector<FormulaPart> parts; ///< ascending, disjoint, none empty, each with a parameter

  uint64_t elems() const; ///< entries of the table, saturating
};

/// Sets `states` to the states of a row-major table over `extents` at entry `index`.
void statesAt(std::span<const uint32_t> extents, uint64_t index, std::vector<uint32_t> &states);
/// Returns the expression of entry `index`; null: the entry is equal in all cases.
const Expression *expressionAt(const TableFormula &formula, uint64_t index);

/// Returns the slots of the parameters that the table depends on, ascending.
std::vector<uint32_t> paramsOf(const TableFormula &formula);

/// Returns the fault of a formula of a model with `paramCount` parameters; empty: no fault.
std::string findFormulaFault(const TableFormula &formula, size_t paramCount);

/// An entry that no normal double holds, in one of the cases.
struct FarEntry {
  uint32_t place = 0; ///< place of the case
  uint64_t entry = 0;
  ScaledNumber value; ///< with an exponent beyond kMostWideExponent if it is lost (isLost)
};

/// Evaluates formulas for blocks of cases. Keeps memory between calls; not thread-safe.
class FormulaEvaluator {
public:
  /// Sets table[e * pitch + i] to entry e in case i of `count`, with parameter p at params[p][i].
  /// Parameters that the formula does not use may be null. Returns the entries that no normal
  /// double holds, by entry, then case; the table has the nearest double there.
  std::vector<FarEntry> evaluate(const TableFormula &formula, std::span<const double *const> params,
                                 uint32_t count, uint32_t pitch, double *table);

private:
  ExpressionEvaluator evaluator_;
};

} // namespace mpf
