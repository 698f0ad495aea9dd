// The tables of answers as a query asks for them, for any evidence. An engine may leave out the
// digits of variables that every case observes in one state. The columns of answers keep these
// digits, so that no place depends on the engine or on the evidence.
#pragma once

#include "dsl/model/model.h"
#include "runtime/engine/case_engine.h"

namespace mpf {

/// Returns the tables of `query`: one number, one table over its output, or "evidence" and a
/// posterior for each variable. If the query decodes an assignment, the answers hold the states of
/// all variables. Throws Error(Unsupported) if it decodes several (QueryTraits::fitsCases).
CaseAnswers fullLayout(const Model &model, const Query &query);

/// Returns the value of entries at states that are not observed: 0, or the infinity that every
/// value replaces if 0 is a value like others.
double valueOfOtherStates(const Query &query);

/// Returns `engine` with the full layout. The model's evidence, which is one case, gives the states
/// of the variables that the engine's tables do not have; their posteriors are 1 there. Assignments
/// have the states that cases of `schema` observe, even of variables outside the query.
CaseEngine withFullLayout(const Model &model, const CaseSchema &schema, const Query &query,
                          CaseEngine engine);

} // namespace mpf
