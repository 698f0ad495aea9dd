// Whether formulas fit the tables of cases that follow from them.
#pragma once

#include "dsl/support/cases/case_schema.h"
#include "dsl/support/cases/formula_set.h"

#include <string>

namespace mpf {

/// What is wrong with formulas of the last tables of `schema`; empty: nothing. Sound ones can be
/// evaluated for any values of the params.
std::string formulaSetFault(const FormulaSet &set, const CaseSchema &schema);

} // namespace mpf
