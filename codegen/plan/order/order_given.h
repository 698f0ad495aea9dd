// Orders written in the model (`order a > b > c`) as constraints on the automatic one.
//
// a > b says that b is eliminated before a. A chain over all variables fixes the order; one that
// leaves variables out, or several, leave the rest to the method. Variables that the query keeps,
// observed ones and those of extent 1 drop out of the chains: they are never eliminated.
#pragma once

#include "codegen/plan/order/order_problem.h"
#include "dsl/model/model.h"

#include <vector>

namespace mpf {

/// Fills later, waitsFor and constrained of `problem`. `localOf` maps VarId -> vertex, UINT32_MAX
/// when it is not in the problem. Throws Error(BadInput) when the chains contradict each other.
void applyGivenOrders(const Model &model, const std::vector<uint32_t> &localOf,
                      OrderProblem &problem);

} // namespace mpf
