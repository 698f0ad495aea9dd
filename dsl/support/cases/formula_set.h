// The tables of cases that follow from params, as plain data: what is left of a model's formulas
// where there is no model, in a bundle.
#pragma once

#include "dsl/support/expression/table_formula.h"
#include "dsl/support/format_id.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mpf {

/// Where a case does not set it, a param has what the model says.
struct FormulaParam {
  std::string name;
  double value = 0;
  std::vector<double> swept = {}; ///< the values that make a case each; empty: it is not swept
  /// How it follows from params in front of it, of the same case; empty: it has `value`.
  Expression derivation = {};
};

/// One table of each case (VaryingTable).
struct CaseFormula {
  std::string name;              ///< of the first of its factors
  std::vector<FactorId> factors; ///< of the model; empty where there is none
  std::shared_ptr<const TableFormula> formula;
  uint64_t rowElems = 0; ///< of a conditional one, whose rows sum to 1; else 0
  bool nonNegative = false;
  int32_t wholeBits = 0; ///< VaryingTable::wholeBits; a bundle's lanes are in floating point
  bool isSoft = false;   ///< soft evidence, which must leave a state possible
};

struct FormulaSet {
  std::vector<FormulaParam> params; ///< by slot
  std::vector<CaseFormula> tables;
};

} // namespace mpf
