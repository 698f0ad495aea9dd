// The cases of a model, from its file, its evidence or its sweeps.
#pragma once

#include "dsl/formats/cases/tables/row_sum_tally.h"
#include "dsl/model/model.h"
#include "dsl/support/cases/case_source.h"
#include "dsl/support/cases/formula_set.h"
#include "tools/mpfc/options/options.h"

#include <memory>
#include <optional>
#include <vector>

namespace mpf::driver {

struct CaseList {
  Model single; ///< the model for one case: without lists, and without sweeps
  /// The cases of the model's file or evidence, with the values of swept params, and with the
  /// tables that follow from params.
  std::shared_ptr<CaseSource> source;
  std::vector<SweptParam> swept; ///< the swept params that no row sets
  FormulaSet formulas;           ///< formulas of the tables that follow from params
  /// Counts the accepted rows of conditional tables that do not sum to 1, in the cases read so far.
  std::shared_ptr<RowSumTally> rowSums = std::make_shared<RowSumTally>();
};

/// Returns the cases of `model`, which has many (hasManyCases), for these queries. A query without
/// a type has options.type. With --normalise, rows of conditional tables that cases set are divided
/// by their sums. A case with entries that the queries cannot take (entryNeedsOf) is a bad row.
CaseList caseListOf(const Model &model, const std::vector<Query> &queries, const Options &options);
/// Says which rows of conditional tables were accepted or divided in the cases read so far.
void sayRowSums(const CaseList &list);
/// Returns the cases of a model that comes from a bundle (runtime/engine/lanes/lane_model.h) with
/// `formulas`.
CaseList caseListOf(const Model &model, const FormulaSet &formulas);

} // namespace mpf::driver
