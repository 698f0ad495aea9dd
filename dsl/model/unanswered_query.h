// Refuses queries of the language that no later stage can answer yet.
#pragma once

#include "dsl/model/model.h"

#include <string_view>

namespace mpf {

/// The hint of errors that say that a product is maximised or minimised and has an entry below 0.
inline constexpr std::string_view kCostsHint =
    "costs may be below 0 and are added: q = argmin() f + g has the least sum and an assignment, "
    "argmax() the greatest";

/// Throws Error(Unsupported) at a query of a kind that cannot be planned (samples, gradient). The
/// message proposes another query.
[[noreturn]] void refuseUnplanned(const Query &query);
/// Throws Error(Unsupported) at a query that nests different reductions (marginal MAP).
[[noreturn]] void refuseNested(const Query &query);

} // namespace mpf
