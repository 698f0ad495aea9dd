// Draws values at the edges of f64 for the tables of a model.
#pragma once

#include "dsl/model/model.h"

#include <random>

namespace mpf::oracle {

/// The values that the query's algebra takes.
enum class ValueDomain {
  Weights, ///< not negative
  Signed,  ///< sums of products
  Costs,   ///< both signs, under max and min of sums
  Logs,    ///< natural logarithms, most of a magnitude up to 1e6
};

ValueDomain domainOf(const Query &query, bool isSigned);

/// Draws new values for a table. Equal ones stay equal, and so do rows and states that
/// simplification may merge. `infiniteZero`: zeros become -infinity, for max and logsum of sums.
TableValues edgeValues(std::mt19937_64 &random, const std::vector<double> &values,
                       ValueDomain domain, bool infiniteZero);

} // namespace mpf::oracle
