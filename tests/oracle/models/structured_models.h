// Draws seeded small models with structures that simplification looks for: functional and copied
// variables, equal rows, uniform tables, conditional tables that sum to 1, hard zeros, repeated
// scopes.
#pragma once

#include "tests/oracle/models/random_models.h"

namespace mpf::oracle {

/// Returns a model like randomModel's, with about two thirds of the tables replaced by structured
/// ones. The same generator state gives the same model on every machine. Values are in [0, 1].
Model structuredModel(std::mt19937_64 &random, const RandomModelOptions &options);

} // namespace mpf::oracle
