// The model in which a query with conditions, or a query for some posteriors, is answered.
#pragma once

#include "dsl/model/model.h"

#include <algorithm>

namespace mpf {

/// Whether the query is answered in another model than the one that has it.
inline bool hasOwnModel(const Query &query) { return !query.given.empty() || !query.asked.empty(); }

/// Whether the query asks for the posterior of a variable, if it has posteriors.
inline bool isAsked(const Query &query, VarId id) {
  return query.asked.empty() || std::ranges::binary_search(query.asked, id);
}

/// Returns the model of the query: Query::given are observations, and variables that Query::asked
/// lacks are unasked. It shares the tables, and has no queries. Throws Error(BadInput) if the
/// evidence observes a condition in another state, or case by case: the builder refuses that, but
/// lists of cases may add findings.
Model modelOf(const Model &model, const Query &query);

/// Returns the query without what modelOf gives to the model.
Query queryInOwnModel(Query query);

} // namespace mpf
