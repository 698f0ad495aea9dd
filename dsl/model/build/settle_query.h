// What follows from evidence in a query that was built before it changed: the soft evidence that
// belongs to it, and which variables need no word in it.
#pragma once

#include "dsl/model/model.h"

#include <string>

namespace mpf {

/// Why a query does not go with the evidence; no text: it does.
struct QueryFault {
  std::string text, hint;
  VarId variable; ///< whose evidence is at fault
};

/// Gives `query` the soft evidence of the model on its variables in place of what it had, a short
/// form all factors. At fault is a sum of costs with soft evidence, a variable that is neither
/// free nor reduced and that nothing observes any more, and one that do() took out of all factors.
QueryFault settleQuery(const Model &model, Query &query);

} // namespace mpf
