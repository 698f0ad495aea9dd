// Chooses the variables and edges that the picture of the network shows.
#pragma once

#include "dsl/model/model.h"
#include "tools/mpfc/explain/facts/explanation.h"

namespace mpf {

/// The most variables of a picture.
inline constexpr size_t kPicturedVariables = 300;

/// Returns the picture of `query`'s factors. The parents of a conditional table have arrows to its
/// child. A factor of up to kPairedScope variables joins all pairs of them, a larger one all to its
/// first. A noisy-max is one table: auxiliary variables are left out. Networks of more than
/// kPicturedVariables are cut: breadth first from the variables that the query asks for, or from
/// the one with the most neighbours. `simplified`: the factors that are left of the query; null if
/// it was not simplified. Takes time linear in the scopes.
NetworkPicture networkPicture(const Model &model, const Query &query,
                              const std::vector<const Factor *> *simplified);

/// Largest scope whose variables are all joined by edges.
inline constexpr size_t kPairedScope = 6;

} // namespace mpf
