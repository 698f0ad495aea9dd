// The columns of a list of cases, as its header names them and as they stand in its rows.
#pragma once

#include "dsl/source/diagnostic.h"
#include "dsl/support/cases/case_schema.h"

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace mpf {

/// A cell that gives no number.
inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// One cell of a header.
struct ColumnName {
  std::string text;
  SourcePlace place; ///< may be nowhere
};

enum class CaseCell { State, Weight, Param, Entry, Ignored };

struct CaseColumn {
  CaseCell cell = CaseCell::State;
  VarId variable; ///< State, Weight
  /// State: column of the codes. Weight, Entry: row of the weights. Param: its number.
  size_t index = 0;
  std::string entry = {};     ///< Entry: its name
  size_t table = 0;           ///< Entry: into CaseSchema::tables
  double missing = kNoNumber; ///< Entry: what holds where a cell is empty; NaN: none may be
};

/// An entry of a table that some columns set, but none this one.
struct ConstantWeight {
  size_t row = 0; ///< of the weights
  double value = 0;
};

struct CaseHeader {
  CaseSchema schema;               ///< of tables, what a query needs of them is not known yet
  std::vector<CaseColumn> columns; ///< as they stand in the file
  std::vector<ConstantWeight> constant;
  std::vector<size_t> kept;             ///< by CaseSchema::kept: the column
  std::vector<SourcePlace> paramPlaces; ///< by param: where it is named
};

} // namespace mpf
