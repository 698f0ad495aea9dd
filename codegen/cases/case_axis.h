// CASE AXIS: answers many cases by one plan. A query of a model with listed cases becomes a query
// of a model with one case. That model has one more variable, the *case variable*, which numbers
// the cases of a block. An observed variable stays a variable, and its states are a table over the
// case variable and itself: the *indicator*, 1 for the states that a case allows, else 0. A host
// binds indicators for one block of cases after another (runtime/engine/tables/table_engine.h).
//
// So the case variable is an ordinary digit of exactly the tables that depend on the case; all
// other messages are computed once. This is the interleaving of parameter sets of PDP'11, with
// cases for sets (codegen/PAPERS.md).
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_schema.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// An observed variable and the factor that holds its indicator.
struct CaseIndicator {
  VarId variable;
  FactorId factor;
};

struct CaseModel {
  Model model; ///< the variables and factors of the original keep their numbers
  /// An expression, whose output is `axis`, then the output of the original query. For marginals
  /// and best assignments, a query of the same kind that holds `axis`.
  Query query;
  VarId axis;                            ///< the case variable; its extent is the size of a block
  std::vector<CaseIndicator> indicators; ///< in the order of the original findings
};

/// Adds the case variable to `query` of `model`, which has passed verifyModel and has listed cases.
/// The factors of `tables` have other entries in each case: the case variable comes first in their
/// scopes, and they lose their values, which a host binds. Findings that have the same state in
/// every case stay evidence. `blockCases` is at least 1.
///
/// Throws Error(Unsupported), with the query's place, for queries that no table of zeros and ones
/// picks states for: nested reductions, minima, sums of costs and of logarithms. Kinds that are not
/// planned throw it too.
CaseModel withCaseAxis(const Model &model, const Query &query, uint32_t blockCases,
                       std::span<const VaryingTable> tables = {});

} // namespace mpf
