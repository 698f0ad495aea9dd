// The columns of a list of cases: their names in the header and their meaning.
#pragma once

#include "dsl/source/diagnostic.h"
#include "dsl/support/cases/case_schema.h"

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace mpf {

/// The value of a cell without a number.
inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// One cell of a header.
struct ColumnName {
  std::string text;
  SourcePlace place; ///< empty if the list is no text
};

enum class CaseCell { State, Weight, Param, Entry, Ignored };

struct CaseColumn {
  CaseCell cell = CaseCell::State;
  VarId variable; ///< State, Weight
  /// State: column of the codes. Weight, Entry: row of the weights. Param: number of the param.
  size_t index = 0;
  std::string entry = {};     ///< Entry: name of the entry
  size_t table = 0;           ///< Entry: index into CaseSchema::tables
  double missing = kNoNumber; ///< Entry: value of an empty cell; NaN: no cell may be empty
};

/// An entry without a column, in a table that has columns for other entries.
struct ConstantWeight {
  size_t row = 0; ///< row of the weights
  double value = 0;
};

struct CaseHeader {
  CaseSchema schema;               ///< without the rules that queries have for tables
  std::vector<CaseColumn> columns; ///< in the order of the file
  std::vector<ConstantWeight> constant;
  std::vector<size_t> kept;             ///< column of each name of CaseSchema::kept
  std::vector<SourcePlace> paramPlaces; ///< for each param: the name of its column
};

} // namespace mpf
