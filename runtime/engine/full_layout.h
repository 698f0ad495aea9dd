// The tables of answers as a query asks for them, whatever is observed. An engine may leave out the
// digits of variables that every case observes in the same state; the columns keep them, so that
// neither the engine nor the evidence changes what stands where.
#pragma once

#include "dsl/model/model.h"
#include "runtime/engine/case_engine.h"

namespace mpf {

/// The tables of `query`: one number, one table over its output, or "evidence" and a posterior for
/// each variable; and the states of all variables where the query decodes an assignment. Throws
/// Error(Unsupported) where it decodes several (QueryTraits::fitsCases).
CaseAnswers fullLayout(const Model &model, const Query &query);

/// What the entries of states have that are not observed: 0, or where 0 is a value like others, the
/// infinity that every value replaces.
double valueOfOtherStates(const Query &query);

/// `engine`, with the full layout. The model's evidence, which is one case, gives the states of the
/// variables that its tables do not have: posteriors are 1 there. Assignments have what the cases
/// of `schema` observe, of variables that the query does not speak of as well.
CaseEngine withFullLayout(const Model &model, const CaseSchema &schema, const Query &query,
                          CaseEngine engine);

} // namespace mpf
