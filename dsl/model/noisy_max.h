// NOISY-MAX: a conditional distribution given by its causes. Each cause, in its state, and a leak
// independently bring the effect to some random state; the effect has the highest of these states.
// The tables are those of Diez 1993, without the leak. (Pearl 1988 section 4.3.2: two states, the
// noisy-or; Henrion 1987: the leak; Diez 1993: more states.)
//
// NOISY-MIN: the effect has the lowest of these states, and the last state is the absence. GeNIe's
// noisy-max is one, because its states fall.
//
// A Model represents it as a chain of small conditional tables, and never as a table over all
// causes. Auxiliary variables m0, m1, ... have the highest state of the leak and the causes so far;
// the effect is the last of them. (Heckerman 1993; Zhang and Poole 1996 and Diez and Galan 2003
// compare such forms.) No entry is negative, so that sums of products lose no digits. Maxima do not
// commute with the sums over auxiliary variables: see noisy_table.h.
#pragma once

#include "dsl/model/model.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

struct NoisyMax {
  VarId effect;              ///< its states are ordered; the first one is the absence of the effect
  bool takesLowest = false;  ///< a noisy-min: the last state is the absence of the effect
  std::vector<VarId> causes; ///< distinct, and not the effect; at least one
  std::vector<double> leak;  ///< probability of each state of the effect
  /// A table for each cause, row-major over (cause, effect): the distribution of the effect if only
  /// this cause acts.
  std::vector<TableValues> tables;
};

/// Functions of the builder of the model.
struct NoisyMaxSite {
  std::function<TableValues(std::vector<double> &&)> share; ///< returns a shared table
  std::function<bool(const std::string &)> isTaken;         ///< whether a variable has this name
};

/// Returns the number of entries of all tables of the chain, saturating at UINT64_MAX.
uint64_t chainElems(const NoisyMax &noisy);

/// Appends the auxiliary variables and the chain's factors, and returns the id of the last factor,
/// "P(effect)". The other factors have the ids before it. The model already has all variables of
/// the user. Rows of the leak and the tables sum to 1.
FactorId addNoisyMax(Model &model, const NoisyMax &noisy, const NoisyMaxSite &site);

/// Returns the factors of the chain that ends with `last`, in order; only `last` if it ends no
/// chain.
std::vector<FactorId> chainOf(const Model &model, FactorId last);

/// Whether the factor is a link that stands behind another one of its chain.
bool isBehindLink(const Model &model, const Factor &factor);

/// Whether the factor is the table of an auxiliary variable: a link that is not the last.
bool isInnerLink(const Model &model, const Factor &factor);

/// Returns the NoisyMax of the chain that ends with `last`; nothing if that factor ends no chain.
std::optional<NoisyMax> noisyMaxOf(const Model &model, FactorId last);

/// Returns the first fault of the model's auxiliary variables and their factors; empty if there is
/// none. They must be as addNoisyMax makes them, or as cutTable leaves them (cut_table.h).
std::string findChainFault(const Model &model);

/// Returns the number of factors of the user; a chain counts once.
size_t ownFactorCount(const Model &model);

} // namespace mpf
