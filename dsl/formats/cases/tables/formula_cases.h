// A list of cases whose params become tables: what engines answer.
#pragma once

#include "dsl/formats/cases/tables/case_formulas.h"
#include "dsl/model/model.h"
#include "dsl/support/cases/case_source.h"

#include <memory>

namespace mpf {

/// The cases of `given`, with the tables of CaseFormulas. A case whose params make no tables is a
/// bad row.
std::unique_ptr<CaseSource> withFormulas(std::shared_ptr<CaseSource> given, const Model &model,
                                         const EntryNeeds &needs);
/// The same for cases of formulas.given().
std::unique_ptr<CaseSource> withFormulas(std::shared_ptr<CaseSource> given, CaseFormulas formulas);

} // namespace mpf
