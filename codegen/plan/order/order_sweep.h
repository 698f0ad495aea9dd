// Sweep order: breadth-first layers from a vertex on the rim (Cuthill and McKee 1969; the rim by
// Gibbs, Poole and Stockmeyer 1976), eliminated layer by layer.
//
// On an n x n grid the front is one row, n variables; plain min-fill loses to that by a factor of
// hundreds on 20 x 20. Linear time in the edges; the cost is counted on the real graph.
#pragma once

#include "codegen/plan/order/order_problem.h"
#include "codegen/plan/program/search_stop.h"

namespace mpf {

/// Ignores given orders: only for problems that are not constrained. `graph` is consumed.
/// Nothing when the cost passes `costLimit` or `stop` says so (then *stepsTaken still counts the
/// work done).
std::optional<EliminationOrder> sweepOrder(const OrderProblem &problem, InteractionGraph graph,
                                           double costLimit, uint64_t *stepsTaken = nullptr,
                                           const SearchStop *stop = nullptr);

} // namespace mpf
