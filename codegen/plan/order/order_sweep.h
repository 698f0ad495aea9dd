// Finds the sweep order, which eliminates breadth-first layers one after another (Cuthill and McKee
// 1969). They start from a vertex on the rim of the network (Gibbs, Poole and Stockmeyer 1976).
//
// On an n x n grid no message has much more than n variables; on 20 x 20, plain min-fill costs
// hundreds of times as much. The layers take linear time in the edges; then the order is eliminated
// on the graph to find its cost.
#pragma once

#include "codegen/plan/order/order_problem.h"
#include "codegen/plan/program/search_stop.h"

namespace mpf {

/// Returns the sweep order of `problem`, which must have no given orders (else Error(Internal));
/// `graph` is its interaction graph. Its result is like that of orderFromSequence
/// (order_sequence.h).
std::optional<EliminationOrder> sweepOrder(const OrderProblem &problem, InteractionGraph graph,
                                           double costLimit, uint64_t *stepsTaken = nullptr,
                                           const SearchStop *stop = nullptr);

} // namespace mpf
