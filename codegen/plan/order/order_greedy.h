// Greedy elimination orders: min-fill, min-weight and min-degree (Kjaerulff 1990, "Triangulation of
// graphs"; Koller and Friedman 2009, section 9.4.3).
//
// Always eliminates the allowed vertex of least score; ties go to the other score, then to a
// seeded hash of the vertex, then to the smaller number: in whole
// numbers, so the same seed gives the same order everywhere.
#pragma once

#include "codegen/plan/order/order_problem.h"
#include "codegen/plan/program/search_stop.h"

#include <limits>

namespace mpf {

enum class GreedyScore {
  Fill,   ///< what the graph counts: edges added, plain or weighted; ties: weight
  Weight, ///< log2 of the bucket's addresses; ties: fill
  Degree, ///< live neighbours; ties: weight
};

/// A greedy rule and how far its scores are blurred. With noise n (in 1/1024) the fill of a vertex
/// is multiplied by 1 + n * r and 2 n r bits are added to its weight, r in [0, 1) a hash of seed
/// and vertex: restarts leave the rut of the plain rule, and every run can be repeated.
struct GreedyRule {
  GreedyScore score = GreedyScore::Fill;
  uint64_t noise1024 = 0;
  uint64_t seed = 0;
};

/// `graph` is consumed. Nothing when the cost passes `costLimit` on the way or `stop` says so (then
/// *stepsTaken still counts the work done); it is not asked before `leastSteps` graph steps.
std::optional<EliminationOrder>
greedyOrder(const OrderProblem &problem, InteractionGraph graph, const GreedyRule &rule,
            double costLimit = std::numeric_limits<double>::infinity(),
            uint64_t *stepsTaken = nullptr, const SearchStop *stop = nullptr,
            uint64_t leastSteps = 0);

} // namespace mpf
