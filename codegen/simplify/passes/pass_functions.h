// Replaces functional variables. Y is a function of X1..Xk if some factor over Y and X1..Xk has,
// for each assignment of X1..Xk, at most one state of Y that is not zero. Y is then replaced by the
// function in all its other factors, and the factor keeps its non-zero values as a table over
// X1..Xk. So Y leaves without its other factors being multiplied together, as its elimination would
// do.
//
// - aliases: one X, and different states of X give different states of Y (a renaming).
// - functions: any function, if neither the largest table nor all tables together grow.
//
// Factors of more than 2^20 entries are not looked at. A function of one X must have a state of Y
// for every state of X; zero propagation (pass_zeros.h) sees to that. For marginals only functions
// of one X are used: the posterior of Y then follows from that of X.
//
// An indicator of Y, whose entries are given later (SimplifyOptions::indicators), becomes one of
// X1..Xk: an observation of Y leaves some assignments of them.
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

/// Both passes require a semiring with a zero, and return whether something changed.
bool passAliases(SimplifyState &state);
bool passFunctions(SimplifyState &state);

} // namespace mpf
