// Computes the cost of an order while an ordering method eliminates the vertices one by one.
#pragma once

#include "codegen/plan/order/interaction_graph.h"
#include "codegen/plan/order/order_problem.h"

#include <span>

namespace mpf {

/// Adds up cost, largest message and steps of one order. Not thread-safe.
class OrderRecorder {
public:
  /// `graph` must outlive the recorder, which eliminates its vertices.
  explicit OrderRecorder(InteractionGraph &graph) : graph_(graph) {}
  /// Eliminates v; returns the vertices that changed (InteractionGraph::eliminate).
  std::span<const Vertex> eliminate(Vertex v);
  /// A lower bound on the cost so far: the addresses of each bucket, for one operand, and messages.
  double cost() const { return order_.cost; }
  /// Whether to give the order up as hopeless. Then some message has more than 2^62 entries, and
  /// the work on the graph becomes too much: a vertex of degree d may add d * d / 2 edges. Call it
  /// before v is eliminated.
  bool givesUp(Vertex v);
  bool hopeless() const { return order_.hopeless; }
  /// Returns the order, with its cost by bucket_cost.h: infinite if it was given up, and only the
  /// lower bound if a message has 2^kMaxTreeLog2Elems entries or more. `problem` must be the one
  /// that `graph` was made from. Call it once, at the end.
  EliminationOrder finish(const OrderProblem &problem);

private:
  InteractionGraph &graph_;
  EliminationOrder order_;
};

} // namespace mpf
