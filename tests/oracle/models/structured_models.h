// Seeded small models with what simplification looks for: functional and copied variables, equal
// rows, uniform tables, conditional tables that sum to 1, hard zeros, repeated scopes.
#pragma once

#include "tests/oracle/models/random_models.h"

namespace mpf::oracle {

/// As randomModel, with about two thirds of the tables replaced by structured ones. The same
/// generator state gives the same model on every machine. Values in [0, 1].
Model structuredModel(std::mt19937_64 &random, const RandomModelOptions &options);

} // namespace mpf::oracle
