// A list of cases that give entries of `input` tables: what a query needs of these.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_source.h"

#include <memory>

namespace mpf {

/// The cases of `given`, whose tables are factors of `model`. A case with an entry below 0, of a
/// conditional table or, with `nonNegative`, of any, or with a row of a conditional table that does
/// not sum to 1, is a bad row. Lists without tables stay as they are.
std::shared_ptr<CaseSource> withInputChecks(std::shared_ptr<CaseSource> given, const Model &model,
                                            bool nonNegative);

} // namespace mpf
