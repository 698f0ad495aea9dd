// Changes the evidence of a complete Model.
#pragma once

#include "dsl/model/model.h"

namespace mpf {

/// Whether a likelihood on `variable` is a factor of the query. It is a factor of every short form,
/// and of expressions over factors that mention the variable.
bool concerns(const Model &model, const Query &query, VarId variable);

/// Adds `factor`, over one variable, to the likelihoods of the model's evidence and to the queries
/// that it concerns.
void addLikelihood(Model &model, Factor factor);

/// Sets the values of a likelihood. Removes its formula, its target and everything else that
/// depended on the old values.
void setValues(Factor &likelihood, TableValues values);

/// Takes factors out of the model and its queries; those behind them get other numbers. No list of
/// cases knows factors by their numbers, and none of `ids` is in the evidence.
void removeFactors(Model &model, std::vector<FactorId> ids);

/// Takes the finding of a variable away, in every case; nothing happens where there is none.
void removeFinding(Evidence &evidence, VarId variable);

} // namespace mpf
