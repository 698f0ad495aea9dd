#include "codegen/plan/order_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mpf {

namespace {

constexpr uint32_t kMaxHopelessDegree = 256;
constexpr uint64_t kMaxHopelessSteps = 20'000'000;

double elems(uint64_t weight) {
  return std::exp2(static_cast<double>(weight) / InteractionGraph::kWeightUnit);
}

} // namespace

bool OrderRecorder::givesUp(Vertex v) {
  const double message = elems(graph_.weight(v) - graph_.ownWeight(v));
  order_.largest = std::max(order_.largest, message);
  order_.hopeless = order_.largest > kHopelessElems &&
                    (graph_.degree(v) > kMaxHopelessDegree || graph_.steps() > kMaxHopelessSteps);
  return order_.hopeless;
}

std::span<const Vertex> OrderRecorder::eliminate(Vertex v) {
  const double address = elems(graph_.weight(v));
  const double message = elems(graph_.weight(v) - graph_.ownWeight(v));
  // Every address is visited once; the message is written here and read in the next bucket.
  order_.cost += address + 2 * message;
  order_.largest = std::max(order_.largest, message);
  order_.sequence.push_back(v);
  return graph_.eliminate(v);
}

EliminationOrder OrderRecorder::finish() {
  order_.steps = graph_.steps();
  if (order_.hopeless)
    order_.cost = std::numeric_limits<double>::infinity();
  order_.perfect = !order_.hopeless && graph_.addedEdges() == 0;
  return std::move(order_);
}

} // namespace mpf
