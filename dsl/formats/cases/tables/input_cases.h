// A list of cases that give entries of `input` tables, or likelihoods: what queries need of these.
#pragma once

#include "dsl/formats/cases/tables/row_sum_tally.h"
#include "dsl/model/model.h"
#include "dsl/support/cases/case_source.h"
#include "dsl/support/cases/entry_needs.h"

#include <memory>

namespace mpf {

/// The cases of `given`, whose tables are factors of `model`. A case with an entry or a weight that
/// is not what `needs` says, with an entry below 0 of a conditional table, or with a row of one
/// that does not sum to 1, is a bad row. If `rowSums` is given, rows within 0.01 of 1 are taken,
/// and counted there. Lists of which nothing is needed stay as they are.
std::shared_ptr<CaseSource> withInputChecks(std::shared_ptr<CaseSource> given, const Model &model,
                                            const EntryNeeds &needs,
                                            std::shared_ptr<RowSumTally> rowSums = nullptr);

} // namespace mpf
