// The invariants of a Model. Every stage after dsl/model relies on them.
//
// - names of variables are unique and not empty; so are names of factors and of queries
// - extents are at least 1; labels are absent or one per state, all different
// - scopes hold existing, distinct variables
// - a table has as many entries as its scope needs, none of them NaN
// - a `conditional` factor has a child, the last of its scope; a factor has a family
// - findings are sorted by variable, at most one each
// - every case has a state inside the domain for each finding, or kNotObserved if cases are listed
// - likelihoods have one variable
// - a variable whose table do() cut off is observed in every case, at the state of the table
// - an order chain holds distinct variables
// - a query's factors are ascending and exist; output and reductions are disjoint and distinct
// - every reduction with the query's combine is a semiring
// - short forms have no reductions; an expression has a factor
// - a query has a sample count exactly if its kind takes one
#pragma once

#include "dsl/model/model.h"

#include <string>

namespace mpf {

/// Returns a sentence about the first broken invariant, with both numbers; empty if all hold. Sets
/// `place` to the place of the fault in the text, which is empty if the model does not know it.
std::string findModelFault(const Model &model, SourcePlace *place = nullptr);

/// Throws Error(Internal) when an invariant is broken. Use it for models that mpf built itself,
/// where this is a bug of mpf.
void verifyModel(const Model &model);

} // namespace mpf
