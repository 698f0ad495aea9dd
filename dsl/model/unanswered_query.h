// Refusals of queries that the language has and no later stage answers yet.
#pragma once

#include "dsl/model/model.h"

namespace mpf {

/// Error(Unsupported) at the query, which says what to ask instead: of a kind that is not planned
/// (samples, gradient).
[[noreturn]] void refuseUnplanned(const Query &query);
/// The same of a query that nests different reductions (marginal MAP).
[[noreturn]] void refuseNested(const Query &query);

} // namespace mpf
