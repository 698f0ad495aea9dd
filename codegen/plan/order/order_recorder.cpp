#include "codegen/plan/order/order_recorder.h"

#include "codegen/plan/order/elimination_tree.h"
#include "codegen/plan/order/order_work.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mpf {

namespace {

constexpr uint32_t kMaxHopelessDegree = 256;
constexpr uint64_t kMaxHopelessSteps = 20'000'000;

double log2Of(uint64_t weight) {
  return static_cast<double>(weight) / InteractionGraph::kWeightUnit;
}

} // namespace

bool OrderRecorder::givesUp(Vertex v) {
  const double message = log2Of(graph_.weight(v) - graph_.ownWeight(v));
  order_.log2Largest = std::max(order_.log2Largest, message);
  order_.hopeless = order_.log2Largest > kHopelessLog2Elems &&
                    (graph_.degree(v) > kMaxHopelessDegree || graph_.steps() > kMaxHopelessSteps);
  return order_.hopeless;
}

std::span<const Vertex> OrderRecorder::eliminate(Vertex v) {
  const double message = log2Of(graph_.weight(v) - graph_.ownWeight(v));
  // Every address is visited once; the message is written here and read in the next bucket.
  order_.cost += std::exp2(log2Of(graph_.weight(v))) + 2 * std::exp2(message);
  order_.log2Largest = std::max(order_.log2Largest, message);
  order_.sequence.push_back(v);
  return graph_.eliminate(v);
}

EliminationOrder OrderRecorder::finish(const OrderProblem &problem) {
  order_.steps = graph_.steps();
  if (order_.hopeless) {
    order_.cost = std::numeric_limits<double>::infinity();
  } else if (order_.log2Largest < kMaxTreeLog2Elems) {
    const EliminationTree tree(problem, order_.sequence);
    order_.cost = tree.cost();
    setRuns(tree, tree.sequence(), problem, order_);
  }
  order_.perfect = !order_.hopeless && graph_.addedEdges() == 0;
  return std::move(order_);
}

} // namespace mpf
