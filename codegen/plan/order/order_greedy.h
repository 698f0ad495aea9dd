// Finds orders by greedy rules: min-fill, min-weight and min-degree (Kjaerulff 1990, "Triangulation
// of graphs"; Koller and Friedman 2009, section 9.4.3).
//
// A run always eliminates the allowed vertex of least score. Among equal scores a second score
// decides, then a seeded hash of the vertex, then the smaller number. All scores are whole numbers,
// so the same seed gives the same order on every machine.
#pragma once

#include "codegen/plan/order/order_problem.h"
#include "codegen/plan/program/search_stop.h"

#include <limits>

namespace mpf {

/// The score that decides (InteractionGraph), and the second score.
enum class GreedyScore {
  Fill,   ///< the fill, as the graph counts it; second: the weight
  Weight, ///< log2 of the bucket's addresses; second: the fill
  Degree, ///< the number of neighbours; second: the weight
};

/// A greedy rule, with noise on its deciding score. Let n = noise1024 / 1024 and r be a hash of
/// seed and vertex in [0, 1). Fill and degree are multiplied by 1 + n r, and 2 n r bits are added
/// to the weight. So restarts with several seeds find different orders, and every run can be
/// repeated. Seed 0: no noise, and no hash decides.
struct GreedyRule {
  GreedyScore score = GreedyScore::Fill;
  uint64_t noise1024 = 0;
  uint64_t seed = 0;
};

/// Runs a greedy rule on `graph`, the interaction graph of `problem`; obeys given orders. An order
/// that was given up (OrderRecorder::givesUp) is marked hopeless and incomplete. Returns nothing
/// when the cost exceeds `costLimit` on the way, or when `stop` ends the run, which it does not
/// before `leastSteps` graph steps. Always sets *stepsTaken to the graph steps.
std::optional<EliminationOrder>
greedyOrder(const OrderProblem &problem, InteractionGraph graph, const GreedyRule &rule,
            double costLimit = std::numeric_limits<double>::infinity(),
            uint64_t *stepsTaken = nullptr, const SearchStop *stop = nullptr,
            uint64_t leastSteps = 0);

} // namespace mpf
