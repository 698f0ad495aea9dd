// Computes figures about the network of a query.
#pragma once

#include "dsl/model/model.h"
#include "tools/mpfc/explain/facts/explanation.h"

namespace mpf {

/// Computes the figures in time linear in the entries and scopes of the query's factors, and in the
/// pairs of variables that share a factor. To bound these pairs, a scope of more than 64 variables
/// counts as a star.
NetworkFacts networkFacts(const Model &model, const Query &query, ElementType type);

} // namespace mpf
