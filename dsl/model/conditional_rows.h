// The rows of a conditional table.
#pragma once

#include "dsl/model/model.h"

#include <cstdint>

namespace mpf {

/// Returns the entries of a row of a conditional table, which sums to 1; 0 for any other factor.
inline uint64_t rowElemsOf(const Model &model, const Factor &factor) {
  return factor.conditional ? model.variable(factor.scope.back()).extent : 0;
}

} // namespace mpf
