#include "codegen/plan/order/order_work.h"

#include <algorithm>
#include <vector>

namespace mpf {

RunWork orderWork(const EliminationTree &tree) {
  RunWork sum;
  std::vector<double> levels; // by vertex: of the longest chain up to its bucket
  const auto levelOf = [&levels](Vertex v) -> double & {
    if (v >= levels.size())
      levels.resize(v + 1, 0);
    return levels[v];
  };
  for (const Vertex v : tree.sequence()) { // children before parents
    RunWork work = tree.work(v);
    work.levels += levelOf(v);
    if (const Vertex parent = tree.parent(v); parent != EliminationTree::kNoVertex)
      levelOf(parent) = std::max(levelOf(parent), work.levels);
    sum.add(work);
  }
  return sum;
}

void setCosts(const EliminationTree &tree, const RunWork &work, const RunCosts &costs,
              EliminationOrder &order) {
  order.cost = tree.cost().operations;
  order.work = work;
  order.runUs = costs.runUs(work);
}

} // namespace mpf
