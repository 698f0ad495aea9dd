// Resolves the header of a list of cases: each column sets one of these.
//
//   rain               the state of variable rain
//   wet=no, wet=yes    the likelihood of wet: one column for each of its states
//   theta              the param theta
//   f[yes][2]          an entry of the `input` f (entry_name.h)
//   f,,,               all entries of f: its name, and a column without a name for each further one
//
// A name that could mean several of these means the first. Columns that the caller names are
// ignored, whatever their names mean. Columns that the caller keeps may have any name; their text
// is kept.
#pragma once

#include "dsl/formats/cases/columns/case_columns.h"
#include "dsl/formats/cases/columns/column_choice.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <optional>
#include <span>

namespace mpf {

/// Returns nothing when an error was reported:
/// - a name without a meaning in the model, or two columns with one meaning
/// - a state and a likelihood of one variable, or a variable that the model's evidence observes
/// - a likelihood without some of its states
/// - an entry without a column and without a default
/// - a choice of a column that does not exist, or whose name several columns have
std::optional<CaseHeader> resolveCaseHeader(std::span<const ColumnName> names, const Model &model,
                                            const ColumnChoice &choice, Diagnostics &diagnostics);

} // namespace mpf
