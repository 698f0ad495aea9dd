// What the header of a list of cases says: which column sets what.
//
//   rain               the state of variable rain
//   wet=no, wet=yes    the likelihood of wet: one column for each of its states
//   theta              the param theta
//
// Columns that the caller names are ignored, whatever they are called and hold.
#pragma once

#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"
#include "dsl/support/cases/case_schema.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mpf {

/// One cell of a header.
struct ColumnName {
  std::string text;
  SourcePlace place; ///< may be nowhere
};

enum class CaseCell { State, Weight, Param, Ignored };

struct CaseColumn {
  CaseCell cell = CaseCell::State;
  VarId variable; ///< State, Weight
  /// State: column of the codes. Weight: row of the weights. Param: its number.
  size_t index = 0;
};

struct CaseHeader {
  CaseSchema schema;
  std::vector<CaseColumn> columns;      ///< as they stand in the file
  std::vector<SourcePlace> paramPlaces; ///< by param: where it is named
};

/// Nothing when an error was reported: a name that is neither a variable nor a param of the model
/// nor variable=state; two columns for one thing; a state and a likelihood of one variable; a
/// likelihood without some of its states; a variable that the model's evidence has already; a name
/// in `ignored` that no column has.
std::optional<CaseHeader> resolveCaseHeader(std::span<const ColumnName> names, const Model &model,
                                            const std::vector<std::string> &ignored,
                                            Diagnostics &diagnostics);

} // namespace mpf
