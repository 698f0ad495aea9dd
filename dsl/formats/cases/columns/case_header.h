// What the header of a list of cases says: which column sets what.
//
//   rain               the state of variable rain
//   wet=no, wet=yes    the likelihood of wet: one column for each of its states
//   theta              the param theta
//   f[yes][2]          an entry of the `input` f (entry_name.h)
//   f,,,               all entries of f: its name, and a column without a name for each further one
//
// A name that could be several of these is the first of them. Columns that the caller names are
// ignored, whatever they are called and hold; the text of others, or of the same, is kept.
#pragma once

#include "dsl/formats/cases/columns/case_columns.h"
#include "dsl/formats/cases/columns/column_choice.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <optional>
#include <span>

namespace mpf {

/// Nothing when an error was reported: a name that is neither a variable nor a param of the model
/// nor variable=state nor an entry of an `input`; two columns for one thing; a state and a
/// likelihood of one variable; a likelihood without some of its states; a variable that the model's
/// evidence has already; an entry without a column and without a default; a choice of columns that
/// there are not, or of one name of several.
std::optional<CaseHeader> resolveCaseHeader(std::span<const ColumnName> names, const Model &model,
                                            const ColumnChoice &choice, Diagnostics &diagnostics);

} // namespace mpf
