// OBSERVABLE MODEL: a model in which cases may observe variables, as an ordinary model of one case.
//
// Each variable that cases may observe gets a factor over it alone, without values, the
// *indicator*. It is 1 for the states that a case allows (all, where it does not observe the
// variable), else 0. A likelihood of cases is such a factor too, and factors whose tables cases
// give lose their values. So every stage up to the table program plans one case. Afterwards
// build_lane_program.h (codegen/lanes/build_lane_program.h) finds the tables that depend on these
// factors.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_schema.h"

#include <optional>
#include <vector>

namespace mpf {

struct ObservableModel {
  Model model;                      ///< variables and factors of the original keep their numbers
  Query query;                      ///< the original query, over the new factors too
  std::vector<FactorId> indicators; ///< by CaseSchema::observed
  /// Functions, by CaseSchema::observed. Not empty: the variable is a function of the variables in
  /// the scope of its indicator, and this is its state by their assignment, row-major.
  std::vector<std::vector<uint32_t>> indicated;
  std::vector<FactorId> likelihoods; ///< by CaseSchema::likelihoods
  std::vector<VaryingTable> tables;  ///< CaseSchema::tables; their factors have no values here

  /// The likelihood or table (CaseSchema::weightTableElems) whose weights are the factor's entries.
  std::optional<size_t> weightTableOf(FactorId factor) const;
};

/// Makes the observable model of `query` of `model`, which has passed verifyModel, under cases of
/// `schema`. The model's own evidence must be one case, and observe no variable of the schema (else
/// Error(Internal)). Throws as refuseSoftCost (codegen/simplify/state/query_support.h) for a
/// likelihood of the schema on a variable of a query that adds its factors.
ObservableModel observableModel(const Model &model, const Query &query, const CaseSchema &schema);

} // namespace mpf
