// Whether a query can be computed in whole numbers (u64, u128): counting, weighted by whole
// numbers.
#pragma once

#include "dsl/model/model.h"

namespace mpf {

/// One sentence on what keeps `query` of `model` from being computed in `type`; empty: nothing, or
/// `type` is floating point. A value must be a whole number below 2^53 (integer_value.h), and the
/// query no quotient and no logarithm. Linear in the tables of the query.
std::string integerQueryFault(const Model &model, const Query &query, ElementType type);

} // namespace mpf
