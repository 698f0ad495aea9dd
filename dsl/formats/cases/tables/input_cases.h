// Checks lists of cases that set entries of `input` tables, or likelihoods.
#pragma once

#include "dsl/formats/cases/tables/row_sum_tally.h"
#include "dsl/model/model.h"
#include "dsl/support/cases/case_source.h"
#include "dsl/support/cases/entry_needs.h"

#include <memory>

namespace mpf {

/// The use of rows of conditional tables that do not sum to 1.
struct RowTreatment {
  /// Rows within 0.01 of 1 are accepted and counted here; null: they are faults.
  std::shared_ptr<RowSumTally> tally = nullptr;
  bool divides = false; ///< rows are divided by their sums first; those off by 1e-6 are counted
};

/// Returns the cases of `given`, whose tables are factors of `model`, with checks. A case is a bad
/// row if an entry or a weight breaks the rules of `needs`. So is a case with a conditional table
/// that has an entry below 0 or a row that does not sum to 1. Returns `given` itself if nothing
/// needs a check.
std::shared_ptr<CaseSource> withInputChecks(std::shared_ptr<CaseSource> given, const Model &model,
                                            const EntryNeeds &needs, const RowTreatment &rows = {});

} // namespace mpf
