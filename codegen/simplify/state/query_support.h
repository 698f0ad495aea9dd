// Decides which queries can be planned, in which semiring and over which factors.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/entry_needs.h"

#include <optional>
#include <span>

namespace mpf {

/// Whether a query allows no negative values: it maximises or minimises products, or decodes.
bool needsNonNegative(const Query &query);

/// Throws Error(BadInput) if soft evidence on `variable` concerns the query and the query adds its
/// factors (dsl/model/build/soft_cost.h).
void refuseSoftCost(const Model &model, const Query &query, VarId variable);

/// Returns the semiring of a query. Throws
/// - Error(Unsupported), with one sentence, for queries that this version refuses: samples,
///   gradients, lists of cases, swept parameters, nested reductions, pairs that are no semiring;
/// - Error(BadInput) for negative factor values under max or min of products, and in queries that
///   allow none (QueryTraits::needsNonNegative);
/// - Error(BadInput) for soft evidence on a variable of a query that adds its factors.
Semiring checkedSemiring(const Model &model, const Query &query);

/// Returns the demands of `queries` on entries that cases set: tables and likelihoods. Queries are
/// computed in their own types or else in `type`.
EntryNeeds entryNeedsOf(const Model &model, std::span<const Query> queries,
                        std::optional<ElementType> type);

/// Throws Error(BadInput) for a query that cannot be computed in `type`
/// (dsl/model/build/integer_query.h).
void checkElementType(const Model &model, const Query &query, ElementType type);

/// Returns the factors of a query: those that it names and, for an expression, the soft evidence on
/// its variables. These are output variables that are not observed, and all variables of the
/// factors that it names.
std::vector<FactorId> queryFactors(const Model &model, const Query &query);

} // namespace mpf
