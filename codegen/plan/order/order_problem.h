// The input of every ordering method (one component of the query) and its result.
#pragma once

#include "codegen/plan/order/interaction_graph.h"
#include "codegen/plan/program/table_program.h"

#include <limits>
#include <optional>
#include <vector>

namespace mpf {

/// Variables are vertices 0..n-1 here; `variables` maps them back to the program.
struct OrderProblem {
  std::vector<VarId> variables;
  std::vector<uint64_t> extents;
  std::vector<std::vector<Vertex>> cliques; ///< scopes, ascending
  /// In a sliced program: for every clique the set of loops that its table is in. Empty: no loops.
  std::vector<uint64_t> loops;
  std::vector<double> loopExtents; ///< by loop, in the order of the bits
  /// For every loop: how many cliques are in it. A message that all of them went into leaves the
  /// loop. 0: the loop ends last.
  std::vector<uint32_t> loopTables;
  std::vector<char> kept; ///< output variables: never eliminated
  /// Given order: `later[v]` may be eliminated only after v; `waitsFor` counts the reverse.
  std::vector<std::vector<Vertex>> later;
  std::vector<uint32_t> waitsFor;
  bool constrained = false;
  /// Entries of the largest message that the memory bound allows.
  double maxMessageElems = std::numeric_limits<double>::infinity();
};

struct EliminationOrder {
  std::vector<Vertex> sequence; ///< first eliminated first; all vertices that are not kept
  double cost = 0;              ///< modelled operations (bucket_cost.h)
  double log2Largest = 0;       ///< entries of the largest message
  uint64_t steps = 0;           ///< graph steps it took to find
  bool perfect = false;         ///< no edge was added: no order has a smaller width
  bool hopeless = false;        ///< given up: some message is beyond 2^62 entries; cost is infinite
};

/// Messages beyond this can be held nowhere.
inline constexpr double kHopelessLog2Elems = 62;

/// Costs that differ by less are equal: sums of doubles depend on their order.
inline constexpr double kCheaper = 1 - 1e-9;

} // namespace mpf
