// Turns the orders that are written in the model (`order a > b > c`) into constraints on the
// automatic order.
//
// The order `a > b` means that b is eliminated before a. A chain over all variables fixes the
// order. Shorter or several chains leave the rest to the ordering method. Variables that are not
// eliminated drop out of the chains: output variables, observed variables and those of extent 1
// that are in no scope.
#pragma once

#include "codegen/plan/order/order_problem.h"
#include "dsl/model/model.h"

#include <vector>

namespace mpf {

/// Fills later, waitsFor and constrained of `problem`, which must hold all variables of the program
/// if the model has orders (orderProblems: `together`). `localOf`: the vertex of each VarId,
/// UINT32_MAX when it has none. Throws Error(BadInput) when the chains contradict each other (found
/// by the algorithm of Kahn 1962).
void applyGivenOrders(const Model &model, const std::vector<uint32_t> &localOf,
                      OrderProblem &problem);

} // namespace mpf
