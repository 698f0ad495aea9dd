// Checks lists of cases that set entries of `input` tables, or likelihoods.
#pragma once

#include "dsl/formats/cases/tables/row_sum_tally.h"
#include "dsl/model/model.h"
#include "dsl/support/cases/case_source.h"
#include "dsl/support/cases/entry_needs.h"

#include <memory>

namespace mpf {

/// Returns the cases of `given`, whose tables are factors of `model`, with checks. A case is a bad
/// row if an entry or a weight breaks the rules of `needs`. So is a case with a conditional table
/// that has an entry below 0 or a row that does not sum to 1. If `rowSums` is given, rows within
/// 0.01 of 1 are accepted and counted there. Returns `given` itself if nothing needs a check.
std::shared_ptr<CaseSource> withInputChecks(std::shared_ptr<CaseSource> given, const Model &model,
                                            const EntryNeeds &needs,
                                            std::shared_ptr<RowSumTally> rowSums = nullptr);

} // namespace mpf
