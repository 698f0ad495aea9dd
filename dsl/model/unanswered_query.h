// Refuses queries of the language that no later stage can answer yet.
#pragma once

#include "dsl/model/model.h"

namespace mpf {

/// Throws Error(Unsupported) at a query of a kind that cannot be planned (samples, gradient). The
/// message proposes another query.
[[noreturn]] void refuseUnplanned(const Query &query);
/// Throws Error(Unsupported) at a query that nests different reductions (marginal MAP).
[[noreturn]] void refuseNested(const Query &query);

} // namespace mpf
