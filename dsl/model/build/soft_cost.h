// Soft evidence multiplies: a query that adds its factors has no place for it.
#pragma once

#include "dsl/model/model.h"

#include <string>

namespace mpf {

/// Why `query`, which adds its factors, cannot take soft evidence on `variable`; empty: it
/// multiplies them. The query names factors of the model, and no soft evidence yet.
std::string softCostFault(const Model &model, const Query &query, VarId variable);

} // namespace mpf
