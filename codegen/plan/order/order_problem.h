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
  /// In a sliced program: for every clique the set of loops that its table is in. Empty: no loops.
  std::vector<uint64_t> loops;
  std::vector<double> loopExtents; ///< by loop, in the order of the bits
  /// By loop: how many cliques are in it. A message that is made of all of them leaves the loop. 0:
  /// the loop ends last.
  std::vector<uint32_t> loopTables;
  std::vector<char> isOutput; ///< by vertex: an output variable, which is never eliminated
  /// By vertex, from the given orders: the vertices `later[v]` must be eliminated after v, and
  /// `waitsFor[v]` is the number of vertices that must be eliminated before v.
  std::vector<std::vector<Vertex>> later;
  std::vector<uint32_t> waitsFor;
  bool constrained = false; ///< there are given orders
  /// Entries of the largest message that the memory bound allows.
  double maxMessageElems = std::numeric_limits<double>::infinity();
  bool goesDownward = false; ///< of a query for marginals (QueryTraits)
  bool tracesBack = false;   ///< of a query whose assignments are decoded (QueryTraits)
  /// Components that it stands for (order_components.h), and those of them that are run: works
  /// count them all.
  double copies = 1, copiesRun = 1;
  RunCosts runCosts; ///< PlanOptions::runCosts
};

/// An order of one component, and what it costs.
struct EliminationOrder {
  std::vector<Vertex> sequence; ///< first eliminated first; all vertices but the output variables
  double cost = 0;              ///< modelled operations (bucket_cost.h)
  /// Of a run, predicted (run_costs.h); infinite if messages are too large for a tree.
  double runUs = std::numeric_limits<double>::infinity();
  RunWork work;
  /// The same where buckets are joined as the passes will (order_work.h), by which the fastest
  /// order is chosen.
  double joinedUs = std::numeric_limits<double>::infinity();
  RunWork joinedWork;
  double log2Largest = 0; ///< log2 of the entries of the largest message
  uint64_t steps = 0;     ///< graph steps to find it; 0 for orders of annealing
  bool perfect = false;   ///< no edge was added: no order has a smaller width
  bool hopeless = false;  ///< given up, because a message has more than 2^62 entries: the
                          ///< sequence is incomplete and the cost infinite
};

/// Messages of more entries (as log2) fit no memory.
inline constexpr double kHopelessLog2Elems = 62;

/// An order is cheaper only if its cost is below this share of the other's: sums of doubles depend
/// on their order.
inline constexpr double kCheaper = 1 - 1e-9;

/// An order of so many times the operations of the cheapest one is not expected to be the fastest:
/// what is not done at each address takes no more than that.
inline constexpr double kCostlyFactor = 8;

/// The best orders known of one component.
struct BestOrders {
  EliminationOrder cheapest; ///< of the fewest operations
  /// Of the shortest run by joinedUs, among those of at most kCostlyFactor times the operations of
  /// the cheapest. Where no order's run can be predicted it is the cheapest.
  EliminationOrder fastest;
  EliminationOrder smallest; ///< of the smallest largest message; an order that is not hopeless is
                             ///< preferred
};

/// Whether an order of so many operations may be the fastest beside `cheapest`.
inline bool mayBeFastest(double cost, const EliminationOrder &cheapest) {
  return cost <= kCostlyFactor * cheapest.cost;
}

} // namespace mpf
