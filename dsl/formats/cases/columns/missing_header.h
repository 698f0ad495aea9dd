// Recognises a list of cases without a header: its first row is a case.
#pragma once

#include "dsl/formats/cases/columns/case_columns.h"
#include "dsl/formats/cases/columns/column_choice.h"
#include "dsl/model/model.h"

#include <span>

namespace mpf {

/// Whether no cell of the first row is a name of the model, and most are labels or numbers. Cells
/// that the caller names as columns do not count.
bool looksLikeCase(std::span<const ColumnName> names, const Model &model,
                   const ColumnChoice &choice);

} // namespace mpf
