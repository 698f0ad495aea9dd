// A list of cases whose params are converted to tables, which engines need.
#pragma once

#include "dsl/formats/cases/tables/case_formulas.h"
#include "dsl/model/model.h"
#include "dsl/support/cases/case_source.h"

#include <memory>

namespace mpf {

/// Returns the cases of `given`, with the tables of CaseFormulas. A case whose params give faulty
/// tables is a bad row.
std::unique_ptr<CaseSource> withFormulas(std::shared_ptr<CaseSource> given, const Model &model,
                                         const EntryNeeds &needs);
/// Returns the cases of `given`, whose schema is formulas.given(), with the tables of `formulas`.
std::unique_ptr<CaseSource> withFormulas(std::shared_ptr<CaseSource> given, CaseFormulas formulas);

} // namespace mpf
