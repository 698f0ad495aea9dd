// NOISY-MAX: a conditional distribution that is given by its causes. Each cause, in its state, and
// a leak bring the effect to some state by chance and by themselves; the effect has the highest of
// these states (Pearl 1988 section 4.3.2 for two states, the noisy-or; Henrion 1987 for the leak;
// Diez 1993 for more states). The tables are those of Diez: without the leak.
//
// A Model holds it as a chain of small conditional tables, and never as a table over all causes:
// auxiliary variables, called y (leak), y (up to a), ..., have the highest state of the leak and
// the causes so far, and the effect is the last of them (Heckerman 1993; Zhang and Poole 1996 and
// Diez and Galan 2003 compare such forms). No entry is negative, so that sums of products lose no
// digits. Maxima do not commute with the sums over auxiliary variables: see noisy_table.h.
#pragma once

#include "dsl/model/model.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

struct NoisyMax {
  VarId effect;              ///< its states are ordered; the first one is the absence of the effect
  std::vector<VarId> causes; ///< distinct, and not the effect; at least one
  std::vector<double> leak;  ///< by state of the effect
  /// By cause, row-major over (cause, effect): what the cause alone does in each of its states.
  std::vector<TableValues> tables;
};

/// What a builder of models lends.
struct NoisyMaxSite {
  std::function<TableValues(std::vector<double> &&)> share; ///< equal tables once
  std::function<bool(const std::string &)> isTaken;         ///< whether a variable has this name
};

/// Entries of all tables of the chain; UINT64_MAX: more than 64 bits count.
uint64_t chainElems(const NoisyMax &noisy);

/// Appends the auxiliary variables and the chain's factors, the last of which is "P(effect)", and
/// returns its id; those in front of it have the ids before. The model has all variables of the
/// user already. Rows of the leak and the tables sum to 1.
FactorId addNoisyMax(Model &model, const NoisyMax &noisy, const NoisyMaxSite &site);

/// The factors of the chain that ends with `last`, in order. Another factor is alone.
std::vector<FactorId> chainOf(const Model &model, FactorId last);

/// Whether the factor is a link that stands behind another one of its chain.
bool isBehindLink(const Model &model, const Factor &factor);

/// Whether the factor is the table of an auxiliary variable: a link that is not the last.
bool isInnerLink(const Model &model, const Factor &factor);

/// What addNoisyMax was given for the chain that ends with `last`; none: that factor ends no chain.
std::optional<NoisyMax> noisyMaxOf(const Model &model, FactorId last);

/// The first thing that is wrong with the model's auxiliary variables and their factors; empty: all
/// is as addNoisyMax makes it, or as cutting a table off leaves it (cut_table.h).
std::string findChainFault(const Model &model);

/// How many factors the user's model has: a chain is one.
size_t ownFactorCount(const Model &model);

} // namespace mpf
