// Checks that formulas fit the tables of cases that they compute.
#pragma once

#include "dsl/support/cases/case_schema.h"
#include "dsl/support/cases/formula_set.h"

#include <string>

namespace mpf {

/// Returns the fault of the formulas of the last tables of `schema`; empty if they are sound. Sound
/// formulas can be evaluated for any values of the params.
std::string formulaSetFault(const FormulaSet &set, const CaseSchema &schema);

} // namespace mpf
