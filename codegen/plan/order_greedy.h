// Greedy elimination orders: min-fill and min-weight (Kjaerulff 1990, "Triangulation of graphs";
// Koller and Friedman 2009, section 9.4.3).
//
// Always eliminates the allowed vertex of least score; ties go to the other score, then to a
// seeded hash of the vertex, then to the smaller number: the same seed gives the same order on
// every machine. A lazy heap holds outdated entries until they surface.
#pragma once

#include "codegen/plan/order_problem.h"

#include <limits>

namespace mpf {

enum class GreedyScore {
  Fill,   ///< edges added (of graphs that do not count them: degree); ties: weight
  Weight, ///< log2 of the bucket's addresses; ties: fill, when the graph counts it
};

/// `graph` is consumed. Nothing when the cost passes `costLimit` on the way (then *stepsTaken
/// still counts the work done).
std::optional<EliminationOrder>
greedyOrder(const OrderProblem &problem, InteractionGraph graph, GreedyScore score, uint64_t seed,
            double costLimit = std::numeric_limits<double>::infinity(),
            uint64_t *stepsTaken = nullptr);

} // namespace mpf
