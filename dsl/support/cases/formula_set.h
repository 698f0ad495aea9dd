// The tables of cases that follow from params, as plain data. A bundle keeps these parts of a
// model's formulas, without the model.
#pragma once

#include "dsl/support/expression/table_formula.h"
#include "dsl/support/format_id.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mpf {

/// A param; cases that do not set it use the model's value.
struct FormulaParam {
  std::string name;
  double value = 0;
  std::vector<double> swept = {}; ///< values that make a case each; empty: it is not swept
  /// How it follows from earlier params of the same case; empty: it has `value`.
  Expression derivation = {};
};

/// One table of each case (VaryingTable).
struct CaseFormula {
  std::string name;              ///< name of the first of its factors
  std::vector<FactorId> factors; ///< factors of the model; empty if there is no model
  std::shared_ptr<const TableFormula> formula;
  uint64_t rowElems = 0; ///< row length of a conditional table, whose rows sum to 1; else 0
  bool nonNegative = false;
  int32_t wholeBits = 0; ///< VaryingTable::wholeBits; a bundle's lanes are in floating point
  bool isSoft = false;   ///< soft evidence, which must leave some state possible
};

struct FormulaSet {
  std::vector<FormulaParam> params; ///< by slot
  std::vector<CaseFormula> tables;
};

} // namespace mpf
