// Adapts a query that was built before the evidence changed: its soft evidence, and the variables
// that it need not name.
#pragma once

#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <string>

namespace mpf {

/// The reason why a query contradicts the evidence; empty text: it does not.
struct QueryFault {
  std::string text, hint;
  VarId variable; ///< whose evidence is at fault
};

/// A query that contradicts evidence, and the error.
struct RefusedQuery {
  std::string name;
  Diagnostic fault;
};

/// Gives `query` the model's soft evidence on its variables in place of what it had; a short form
/// gets all factors. Soft evidence in a sum of costs is a fault. A variable that is no longer free,
/// reduced or observed is one too, and a variable that do() took out of all factors.
QueryFault settleQuery(const Model &model, Query &query);

} // namespace mpf
