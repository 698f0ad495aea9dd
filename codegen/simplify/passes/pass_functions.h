// FUNCTIONAL VARIABLES: Y is a function of X1..Xk if some factor has, for each of their states, at
// most one state of Y that is not zero. Y is then replaced by the function in all its other
// factors, and the factor keeps its non-zero values as a table over X1..Xk: Y is gone without
// joining its other factors, as eliminating it would.
//
// - copies: one X, and different states of X give different ones of Y (a renaming).
// - functions: any other, as long as neither the greatest table nor all tables together grow.
//
// For marginals only with one X: the posterior of Y then follows from that of X.
// Pre: the semiring has a zero; for copies and one X, zero propagation has run (rows are not zero).
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

bool passCopies(SimplifyState &problem);
bool passFunctions(SimplifyState &problem);

} // namespace mpf
