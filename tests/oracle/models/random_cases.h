// Draws seeded lists of cases for random models.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_block.h"

#include <random>

namespace mpf::oracle {

/// Draws columns over some variables that the query does not ask for and the model does not
/// observe, and likelihoods on some others.
CaseSchema randomSchema(std::mt19937_64 &random, const Model &model, const Query &query);

/// Adds tables of some factors' entries, which cases then give. Tables of equal extents may be one.
void addRandomTables(std::mt19937_64 &random, const Model &model, CaseSchema &schema);

/// Draws 1 to 70 cases; a third of the cells is not observed, some weights are 0.
CaseBlock randomBlock(std::mt19937_64 &random, const CaseSchema &schema);

/// Replaces half of the weights other than 0 by numbers up to 2^exponent, or down to it: at least
/// 2^-1070.
void spreadWeights(std::mt19937_64 &random, CaseBlock &block, int exponent);

/// Multiplies the entries of all factors by powers of two down to 2^leastExponent; 0: by none.
void spreadEntries(std::mt19937_64 &random, Model &model, int leastExponent);

} // namespace mpf::oracle
