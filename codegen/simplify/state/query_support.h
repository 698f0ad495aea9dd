// Which queries can be planned, and the algebra of those that can.
#pragma once

#include "dsl/model/model.h"

namespace mpf {

/// Throws Error(Unsupported) with one sentence for what this version refuses: samples, gradients,
/// evidence batches, swept parameters, nested reductions, pairs that are no semiring; and
/// Error(BadInput) for negative factor values under max or min of products.
/// Gives the semiring of the upward pass.
Semiring checkedSemiring(const Model &model, const Query &query);

/// Throws Error(BadInput) for a query that cannot be computed in `type`
/// (dsl/model/build/integer_query.h).
void checkElementType(const Model &model, const Query &query, ElementType type);

/// The factors of a query in the order they are multiplied: those it names and, for an expression,
/// the soft evidence on its variables (observed ones included; they count if the query names them).
std::vector<FactorId> queryFactors(const Model &model, const Query &query);

} // namespace mpf
