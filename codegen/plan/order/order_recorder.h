// Follows an ordering method: what the order that it makes costs.
#pragma once

#include "codegen/plan/order/interaction_graph.h"
#include "codegen/plan/order/order_problem.h"

#include <span>

namespace mpf {

/// Adds up cost, largest message and steps while vertices are eliminated one by one.
class OrderRecorder {
public:
  explicit OrderRecorder(InteractionGraph &graph) : graph_(graph) {}
  /// Eliminates v; gives the touched vertices (InteractionGraph::eliminate).
  std::span<const Vertex> eliminate(Vertex v);
  /// A lower bound on the cost so far: addresses and messages, with one operand for each bucket.
  double cost() const { return order_.cost; }
  /// Eliminating v would be a waste: its message cannot be held, and the graph work is getting
  /// out of hand (a vertex of degree d may add d * d / 2 edges).
  bool givesUp(Vertex v);
  bool hopeless() const { return order_.hopeless; }
  /// The finished order, with its cost by bucket_cost.h. `problem`: the one `graph` was made from.
  EliminationOrder finish(const OrderProblem &problem);

private:
  InteractionGraph &graph_;
  EliminationOrder order_;
};

} // namespace mpf
