// Checks whether a query can be computed in whole numbers (u64, u128): a count, perhaps weighted by
// whole numbers.
#pragma once

#include "dsl/model/model.h"

namespace mpf {

/// Returns one sentence on why `query` of `model` cannot be computed in `type`. Empty: it can, or
/// `type` is floating point. Each value must be a whole number from 0 to 2^53 - 1
/// (integer_value.h), and the query must use neither quotients nor logarithms. Tables that depend
/// on a swept param are checked case by case (dsl/formats/cases/tables/formula_cases.h). Time:
/// linear in the tables of the query.
std::string integerQueryFault(const Model &model, const Query &query, ElementType type);

} // namespace mpf
