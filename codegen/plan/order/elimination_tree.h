// ELIMINATION TREE (Liu 1990, "The role of elimination trees in sparse factorization"): every
// variable points to the variable in whose bucket its message is used. Orders with the same tree
// are the same computation, so the search walks over trees.
//
// The one move is Liu's rotation at an edge (Liu 1988, "Equivalent sparse matrix reorderings by
// elimination tree rotations"): child and parent change places in the order. Only their two buckets
// change, and what leaves the pair stays what it was; a move costs the scopes of one bucket,
// however large the network is.
//
// Memory: the sum of all message scopes. Not thread-safe; copies are independent.
#pragma once

#include "codegen/plan/order/order_problem.h"

#include <span>
#include <vector>

namespace mpf {

/// Larger messages have sizes that doubles do not hold.
inline constexpr double kMaxTreeLog2Elems = 900;

class EliminationTree {
public:
  static constexpr Vertex kNoVertex = UINT32_MAX;

  /// `sequence`: all vertices that are not kept, first eliminated first. `problem` must outlive it.
  /// Messages must stay under 2^kMaxTreeLog2Elems entries.
  EliminationTree(const OrderProblem &problem, const std::vector<Vertex> &sequence);

  double cost() const { return cost_; }
  double largestMessageElems() const;
  double nodeCost(Vertex v) const { return nodes_[v].cost; }
  /// kNoVertex for roots.
  Vertex parent(Vertex v) const { return nodes_[v].parent; }
  /// The vertices that are eliminated, ascending.
  const std::vector<Vertex> &eliminated() const { return eliminated_; }
  /// An elimination order of the tree: children before parents.
  std::vector<Vertex> sequence() const;

  /// What eliminating the parent of `child` before it would change.
  struct Rotation {
    Vertex child = kNoVertex, parent = kNoVertex;
    double before = 0;      ///< cost of the two buckets
    double after = 0;       ///< cost of the two buckets
    double childElems = 0;  ///< bucket of the child, which becomes the upper one
    double parentElems = 0; ///< bucket of the parent, which becomes the lower one
    double childCost = 0, parentCost = 0;
  };
  /// `child` must not be a root. What was found of scopes and loops stays in this object until the
  /// next call.
  Rotation tryRotation(Vertex child);
  /// Only for the rotation tried last.
  void rotate(const Rotation &rotation);
  /// Elementary steps so far: the unit of PlanOptions::searchSteps.
  uint64_t steps() const { return steps_; }
  /// Adds the costs anew: sums of many changes drift.
  void sumCosts();

private:
  /// The loops of a program in slices that a bucket and its message depend on.
  struct NodeLoops {
    uint64_t bucket = 0, message = 0; ///< sets
    std::vector<uint32_t> tables;     ///< by loop: of the problem, that went into the message
  };

  struct Node {
    Vertex parent = kNoVertex;
    std::vector<Vertex> children;
    std::vector<uint32_t> tables; ///< scopes of the problem that wait in this bucket
    std::vector<Vertex> message;  ///< scope of the message
    double messageElems = 1;
    double cost = 0;
    NodeLoops loops;
  };

  void build(const std::vector<Vertex> &sequence);
  void setCost(Node &node, double bucketElems);
  void clear(NodeLoops &loops) const;
  void addTable(NodeLoops &loops, uint32_t table) const;
  void addMessage(NodeLoops &loops, const NodeLoops &message) const;
  void endLoops(NodeLoops &loops) const;
  double runs(uint64_t loops) const;
  void startUnion();
  void unite(std::span<const Vertex> scope);
  static bool contains(std::span<const Vertex> scope, Vertex v);

  const OrderProblem *problem_;
  std::vector<Node> nodes_; ///< by vertex; unused for kept ones
  std::vector<double> extents_;
  std::vector<double> tableElems_; ///< by scope of the problem
  std::vector<Vertex> eliminated_;
  double cost_ = 0;
  uint64_t steps_ = 0;
  std::vector<uint64_t> seenAt_; ///< number of the union that met the vertex last
  uint64_t unions_ = 0;
  std::vector<Vertex> united_;
  double unitedElems_ = 1;
  NodeLoops lowerLoops_, upperLoops_; ///< of the two buckets, once rotated
};

} // namespace mpf
