#include "codegen/plan/order/order_sweep.h"

#include "codegen/plan/order/order_sequence.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

/// Breadth-first order from `start`; new vertices of one parent are sorted by degree, then number.
/// Other components (a problem may hold several) follow.
std::vector<Vertex> layers(InteractionGraph &graph, Vertex start) {
  std::vector<char> seen(graph.vertexCount(), 0);
  std::vector<Vertex> queue;
  const auto walk = [&](Vertex root) {
    if (std::exchange(seen[root], 1))
      return;
    size_t head = queue.size();
    for (queue.push_back(root); head < queue.size(); ++head) {
      const size_t first = queue.size();
      for (const Vertex u : graph.neighbours(queue[head]))
        if (!std::exchange(seen[u], 1))
          queue.push_back(u);
      std::stable_sort(queue.begin() + static_cast<std::ptrdiff_t>(first), queue.end(),
                       [&graph](Vertex a, Vertex b) { return graph.degree(a) < graph.degree(b); });
    }
  };
  walk(start);
  for (Vertex v = 0; v < graph.vertexCount(); ++v)
    walk(v);
  return queue;
}

} // namespace

std::optional<EliminationOrder> sweepOrder(const OrderProblem &problem, InteractionGraph graph,
                                           double costLimit, uint64_t *stepsTaken,
                                           const SearchStop *stop) {
  MPF_CHECK(!problem.constrained, "a sweep cannot follow a given order");
  // The last vertex of a breadth-first search is far out; two searches give a good rim vertex. With
  // output variables the sweep starts far from one of them, so that it ends near it.
  const auto kept = std::find(problem.isOutput.begin(), problem.isOutput.end(), char{1});
  Vertex start = kept == problem.isOutput.end()
                     ? 0
                     : static_cast<Vertex>(std::distance(problem.isOutput.begin(), kept));
  start = layers(graph, start).back();
  if (kept == problem.isOutput.end())
    start = layers(graph, start).back();
  const std::vector<Vertex> sequence = layers(graph, start);
  return orderFromSequence(problem, std::move(graph), sequence, costLimit, stepsTaken, stop);
}

} // namespace mpf
