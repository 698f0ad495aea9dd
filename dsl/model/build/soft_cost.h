// Refuses soft evidence in queries that add their factors: soft evidence is multiplied.
#pragma once

#include "dsl/model/model.h"

#include <string>

namespace mpf {

/// Explains why `query` cannot take soft evidence on `variable`: it adds its factors. Empty: it
/// multiplies them. The query names factors of the model, and no soft evidence yet.
std::string softCostFault(const Model &model, const Query &query, VarId variable);

} // namespace mpf
