// Changes the evidence of a complete Model.
#pragma once

#include "dsl/model/model.h"

#include <set>

namespace mpf {

/// Whether a likelihood on `variable` is a factor of the query. It is a factor of every short form,
/// and of expressions over factors that mention the variable.
bool concerns(const Model &model, const Query &query, VarId variable);

/// Adds `factor`, over one variable, to the likelihoods of the model's evidence and to the queries
/// that it concerns.
void addLikelihood(Model &model, Factor factor);

/// Sets the `elems` values of a likelihood, stored as StoredValues reads them. Removes its formula,
/// its target and everything else that depended on the old values.
void setValues(Factor &likelihood, TableValues stored, uint64_t elems);

/// Takes factors out of the model and its queries; those behind them get other numbers. No list of
/// cases knows factors by their numbers, and none of `ids` is in the evidence.
void removeFactors(Model &model, std::vector<FactorId> ids);

/// Takes the findings of these variables away, in every case. Variables without one are left out.
/// Time: linear in the states and the findings, times the logarithm of the variables.
void removeFindings(Evidence &evidence, const std::set<VarId> &variables);

} // namespace mpf
