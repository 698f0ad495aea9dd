// Represents orders by their elimination trees (Liu 1990, "The role of elimination trees in sparse
// factorization"): every variable points to the variable in whose bucket its message is used.
// Orders with the same tree are the same computation, so the search goes from tree to tree.
//
// The only change is Liu's rotation at an edge (Liu 1988, "Equivalent sparse matrix reorderings by
// elimination tree rotations"): child and parent change places in the order. Only their two buckets
// change; the message of the upper one, which leaves the pair, stays the same. A rotation takes
// time in proportion to the scopes of these buckets, however large the network is.
//
// Memory: the sum of all message scopes. Not thread-safe; copies are independent.
#pragma once

#include "codegen/plan/order/order_problem.h"

#include <span>
#include <vector>

namespace mpf {

/// A bound on the size of messages, so that all sizes and costs are finite doubles.
inline constexpr double kMaxTreeLog2Elems = 900;

struct BucketOperands;

class EliminationTree {
public:
  static constexpr Vertex kNoVertex = UINT32_MAX;

  /// `sequence`: all vertices but the output variables, each once (else Error(Internal)), the first
  /// eliminated first. `problem` must outlive the tree. Messages must have fewer than
  /// 2^kMaxTreeLog2Elems entries.
  EliminationTree(const OrderProblem &problem, const std::vector<Vertex> &sequence);

  /// The sum of all bucket costs (bucket_cost.h), each times the iterations of its loops.
  double cost() const { return cost_; }
  double largestMessageElems() const;
  double nodeCost(Vertex v) const { return nodes_[v].cost; }
  /// The vertex in whose bucket the message of v is used; kNoVertex for roots.
  Vertex parent(Vertex v) const { return nodes_[v].parent; }
  /// The vertices that are eliminated, ascending.
  const std::vector<Vertex> &eliminated() const { return eliminated_; }

  /// The work of a bucket, each time that it runs.
  struct Bucket {
    double runs = 1;                        ///< iterations of its loops
    size_t operands = 0;                    ///< tables and messages
    size_t messages = 0;                    ///< among its operands
    double operandElems = 0, readElems = 0; ///< entries of all operands; of the messages among them
    double messageElems = 0;
    /// Addresses: products of one entry of each operand. A bucket whose message exceeds the memory
    /// bound counts more, as in bucket_cost.h: slices would repeat other buckets.
    double terms = 0;
  };
  Bucket bucket(Vertex v) const;
  /// An elimination order of the tree: children before parents.
  std::vector<Vertex> sequence() const;

  /// The change of costs if the parent of `child` were eliminated before it.
  struct Rotation {
    Vertex child = kNoVertex, parent = kNoVertex;
    double before = 0;      ///< cost of the two buckets now
    double after = 0;       ///< cost of the two buckets after the rotation
    double childElems = 0;  ///< addresses of the child's bucket, which becomes the upper one
    double parentElems = 0; ///< addresses of the parent's bucket, which becomes the lower one
    double childCost = 0, parentCost = 0; ///< the parts of `after`
  };
  /// Computes a rotation without making it. `child` must not be a root, else Error(Internal).
  /// Scopes and loops of the new buckets stay in this object until the next call.
  Rotation tryRotation(Vertex child);
  /// Makes a rotation, which must be the one that tryRotation returned last.
  void rotate(const Rotation &rotation);
  /// Elementary steps so far: the unit of PlanOptions::searchSteps.
  uint64_t steps() const { return steps_; }
  /// Computes cost() anew, because rounding errors of many rotations add up.
  void sumCosts();

private:
  /// The loops of a sliced program that a bucket and its message are in.
  struct NodeLoops {
    uint64_t bucket = 0, message = 0; ///< sets
    std::vector<uint32_t> tables;     ///< by loop: how many of its tables are in the message
  };

  struct Node {
    Vertex parent = kNoVertex;
    std::vector<Vertex> children;
    std::vector<uint32_t> tables; ///< cliques of the problem that are in this bucket
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
  void uniteLowerBucket(Vertex child);
  void divideOperands(const Rotation &rotation, BucketOperands &below, BucketOperands &above);
  void startUnion();
  void unite(std::span<const Vertex> scope);
  static bool contains(std::span<const Vertex> scope, Vertex v);

  const OrderProblem *problem_;
  std::vector<Node> nodes_; ///< by vertex; unused for output variables
  std::vector<double> extents_;
  std::vector<double> tableElems_; ///< by clique of the problem
  std::vector<Vertex> eliminated_;
  double cost_ = 0;
  uint64_t steps_ = 0;
  std::vector<uint64_t> seenAt_; ///< by vertex: number of the last union that it was in
  uint64_t unions_ = 0;
  std::vector<Vertex> united_;
  double unitedElems_ = 1;
  NodeLoops lowerLoops_, upperLoops_; ///< of the two buckets after the rotation tried last
};

} // namespace mpf
