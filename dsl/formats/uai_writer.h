// Model -> .uai and .evid, for other people's programs. Names, labels and queries have no place in
// these formats; numbers print so that reading them back gives the same bits.
#pragma once

#include "dsl/model/model.h"

#include <string>

namespace mpf {

/// All factors, soft evidence among them, in the Model's order. BAYES when each factor is
/// conditional and each variable is the child of exactly one, else MARKOV. Throws
/// Error(Unsupported) for a factor without values (`input`) or with an infinite one: the format has
/// no words for them.
std::string writeUai(const Model &model);

/// The hard evidence: one line `m v1 x1 .. vm xm`; for listed cases their number, then one such
/// line each.
std::string writeEvidence(const Model &model);

} // namespace mpf
