// Defines the input of every ordering method, one component of a query, and its result.
#pragma once

#include "codegen/plan/order/interaction_graph.h"
#include "codegen/plan/program/run_costs.h"
#include "codegen/plan/program/table_program.h"

#include <limits>
#include <optional>
#include <vector>

namespace mpf {

/// The variables of one component are vertices 0..n-1 here.
struct OrderProblem {
  std::vector<VarId> variables;             ///< by vertex
  std::vector<uint64_t> extents;            ///< by vertex
  std::vector<std::vector<Vertex>> cliques; ///< scopes of the tables; vertices ascending. The
                                            ///< output variables are one too
  /// Set of loops of each clique's table in a sliced program. Empty: no loops.
  std::vector<uint64_t> loops;
  std::vector<double> loopExtents; ///< by loop, in the order of the bits
  /// Number of cliques in each loop. A message that is made of all of them leaves the loop. 0: the
  /// loop ends last.
  std::vector<uint32_t> loopTables;
  std::vector<char> isOutput; ///< by vertex: an output variable, which is never eliminated
  /// Given orders, by vertex: the vertices `later[v]` must be eliminated after v, and `waitsFor[v]`
  /// is the number of vertices that must be eliminated before v.
  std::vector<std::vector<Vertex>> later;
  std::vector<uint32_t> waitsFor;
  bool constrained = false; ///< there are given orders
  /// Entries of the largest message that the memory bound allows.
  double maxMessageElems = std::numeric_limits<double>::infinity();
  bool goesDownward = false; ///< the query asks for marginals (QueryTraits)
  bool tracesBack = false;   ///< the query's assignments are decoded (QueryTraits)
  /// Number of equal components that this problem represents (order_components.h), and number of
  /// them that run. Works are sums over them.
  double copies = 1, copiesRun = 1;
  RunCosts runCosts; ///< PlanOptions::runCosts
};

/// An order of one component, and its cost.
struct EliminationOrder {
  std::vector<Vertex> sequence; ///< first eliminated first; all vertices but the output variables
  double cost = 0;              ///< modelled operations (bucket_cost.h)
  /// Predicted time of a run (run_costs.h); infinite if messages are too large for a tree.
  double runUs = std::numeric_limits<double>::infinity();
  RunWork work;
  /// Predicted time and work where buckets are joined as the passes will do (order_work.h). The
  /// fastest order is chosen by this time.
  double joinedUs = std::numeric_limits<double>::infinity();
  RunWork joinedWork;
  double log2Largest = 0; ///< log2 of the entries of the largest message
  uint64_t steps = 0;     ///< graph steps to find it; 0 for orders of annealing
  bool perfect = false;   ///< no edge was added: no order has a smaller width
  bool hopeless = false;  ///< given up, because a message has more than 2^62 entries: the
                          ///< sequence is incomplete and the cost infinite
};

/// Largest size of a message, as log2 of entries: larger ones fit no memory.
inline constexpr double kHopelessLog2Elems = 62;

/// An order is cheaper only if its cost is below this share of the other's: sums of doubles depend
/// on their order.
inline constexpr double kCheaper = 1 - 1e-9;

/// The most operations of an order that may be the fastest, as a multiple of the cheapest order's
/// operations. Work that is not done at each address takes no more time than that.
inline constexpr double kCostlyFactor = 8;

/// The best orders known of one component.
struct BestOrders {
  EliminationOrder cheapest; ///< of the fewest operations
  /// The order of the shortest run by joinedUs, among those of at most kCostlyFactor times the
  /// operations of the cheapest. If no run can be predicted, it is the cheapest order.
  EliminationOrder fastest;
  EliminationOrder smallest; ///< of the smallest largest message; an order that is not hopeless is
                             ///< preferred
};

/// Whether an order of `cost` operations may be faster than `cheapest`.
inline bool mayBeFastest(double cost, const EliminationOrder &cheapest) {
  return cost <= kCostlyFactor * cheapest.cost;
}

} // namespace mpf
