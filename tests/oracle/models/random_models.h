// Draws seeded small models for comparisons with brute force.
#pragma once

#include "dsl/model/model.h"

#include <cstdint>
#include <random>

namespace mpf::oracle {

struct RandomModelOptions {
  uint32_t maxVariables = 8;
  uint32_t maxExtent = 3;
  uint32_t maxFactors = 12;
  uint32_t maxArity = 4;
  double zeroShare = 0.15;     ///< share of entries that are exactly 0
  double observedShare = 0.15; ///< share of variables with evidence
  uint32_t repeatedTables = 0; ///< above 0: number of tables that factors of equal extents share
  double functionalShare = 0;  ///< share of factors with one entry in each row of their last
                               ///< variable that is not 0: it is a function of the others
  uint32_t reach = 0; ///< above 0: each factor ties a variable to one of `reach` variables before
                      ///< it, so that networks are long
};

/// Returns a uniform number in [0, 1): 53 bits of the generator.
inline double unit(std::mt19937_64 &random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

/// Draws a model. The same generator state gives the same model on every machine (no std
/// distributions). Values are in (0, 1], some 0; factors of arity 0, repeated scopes and unused
/// variables occur.
Model randomModel(std::mt19937_64 &random, const RandomModelOptions &options);

/// Draws a query of the given kind over all factors (an expression: over some), with random
/// outputs.
Query randomQuery(std::mt19937_64 &random, const Model &model, QueryKind kind);

/// Lets a query of marginals ask for the posteriors of random variables only, in one of two calls.
/// Leaves other queries as they are.
void askSome(std::mt19937_64 &random, Model &model, Query &query);

} // namespace mpf::oracle
