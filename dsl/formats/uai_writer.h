// Model -> .uai and .evid, for other programs. These formats hold no names, labels and queries.
// Numbers are printed so that reading them gives the same bits.
#pragma once

#include "dsl/model/model.h"

#include <string>

namespace mpf {

/// All factors, soft evidence among them, in the Model's order; a noisy-max is its whole table. The
/// kind is BAYES when each factor is conditional and each variable is the child of exactly one,
/// else MARKOV. Throws Error(Unsupported) for a factor without values (`input`) or with an infinite
/// value, which the format cannot hold, and for a noisy-max of more causes than noisy_table.h
/// takes.
std::string writeUai(const Model &model);

/// The hard evidence: one line `m v1 x1 .. vm xm`. For listed cases: their number, then one such
/// line for each.
std::string writeEvidence(const Model &model);

} // namespace mpf
