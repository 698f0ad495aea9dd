// The cases of a model, wherever it lists them.
#pragma once

#include "dsl/formats/cases/tables/row_sum_tally.h"
#include "dsl/model/model.h"
#include "dsl/support/cases/case_source.h"
#include "dsl/support/cases/formula_set.h"

#include <memory>
#include <optional>
#include <vector>

namespace mpf::driver {

struct CaseList {
  Model single; ///< the model for one case: without lists, and without sweeps
  /// The cases of its file or evidence, with the values of swept params, and with the tables that
  /// follow from what cases set.
  std::shared_ptr<CaseSource> source;
  std::vector<SweptParam> swept; ///< those that no row sets
  FormulaSet formulas;           ///< of these tables
  /// Rows of their tables that are taken although they do not sum to 1, of those read so far.
  std::shared_ptr<RowSumTally> rowSums = std::make_shared<RowSumTally>();
};

/// The cases of `model`, which has many (hasManyCases), for these queries, in their own types or
/// else in `type`: what they cannot take (entryNeedsOf) is a bad row.
CaseList caseListOf(const Model &model, const std::vector<Query> &queries,
                    std::optional<ElementType> type);
/// The same where the model comes from a bundle (runtime/engine/lane_model.h), which has
/// `formulas`.
CaseList caseListOf(const Model &model, const FormulaSet &formulas);

} // namespace mpf::driver
