// Model -> .uai and .evid, for other programs. These formats hold no names, labels and queries.
// Numbers are printed so that reading them gives the same bits.
#pragma once

#include "dsl/model/model.h"

#include <string>
#include <vector>

namespace mpf {

/// Returns the text of all factors, including soft evidence, in the Model's order. The kind is
/// BAYES when each factor is conditional and each variable is the child of exactly one, else
/// MARKOV. Throws Error(Unsupported) for a factor without values (`input`) or with an infinite
/// value, which the format cannot hold.
std::string writeUai(const Model &model);

/// Returns what the text leaves out of the model.
std::vector<std::string> uaiLosses(const Model &model);

/// Returns the text of hard evidence: one line `m v1 x1 .. vm xm`. Listed cases: their number, then
/// one such line for each.
std::string writeEvidence(const Model &model);

} // namespace mpf
