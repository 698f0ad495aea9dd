// INTERACTION GRAPH: one vertex per variable, an edge between variables that share a table.
//
// Eliminating a vertex makes its neighbours a clique and removes it (Dechter 1999, "Bucket
// elimination", section 4). The graph keeps for every vertex, incrementally:
//   degree   live neighbours
//   weight   log2 of the bucket it would make: its extent times those of its neighbours
//   fill     edges its elimination would add: pairs of neighbours less edges among them, counted
//            plainly or, for WeightedFill, each with the product of its ends' extents
//
// Sorted adjacency vectors with lazy deletion: no n * n matrix, a star of 5,000 leaves or a chain
// of 100,000 variables costs near-linear time. Not thread-safe; copies are independent.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

enum class FillCount {
  None,     ///< no fill counts: cheapest
  Edges,    ///< every added edge counts 1
  Weighted, ///< an added edge counts the product of the extents of its ends
};

using Vertex = uint32_t;

class InteractionGraph {
public:
  /// Fixed point for log2 of extents, so that sums do not depend on the order of summation.
  static constexpr double kWeightUnit = 1 << 20;

  /// `cliques`: the scopes; vertices in ascending order, at most 62 each (larger tables do not
  /// exist). Fill counts cost an intersection per added edge; on dense graphs where the first count
  /// alone would take seconds they are left out, and fill() is then only the bound
  /// from the neighbours.
  InteractionGraph(const std::vector<uint64_t> &extents,
                   const std::vector<std::vector<Vertex>> &cliques, FillCount count);

  size_t vertexCount() const { return adjacent_.size(); }
  bool alive(Vertex v) const { return alive_[v] != 0; }
  uint32_t degree(Vertex v) const { return degree_[v]; }
  uint64_t weight(Vertex v) const { return weight_[v]; }
  uint64_t ownWeight(Vertex v) const { return ownWeight_[v]; }
  /// All pairs of neighbours by (sum^2 - sum of squares) / 2, less the edges there are.
  uint64_t fill(Vertex v) const {
    return (unitSum_[v] * unitSum_[v] - unitSquares_[v]) / 2 - triangles_[v];
  }
  /// Elementary steps so far: the unit of PlanOptions::searchSteps.
  uint64_t steps() const { return steps_; }
  uint64_t addedEdges() const { return addedEdges_; }

  /// Live neighbours, ascending. Valid until the next eliminate().
  std::span<const Vertex> neighbours(Vertex v);

  /// Removes v. Gives the vertices whose degree, weight or fill changed, each once; valid until
  /// the next call.
  std::span<const Vertex> eliminate(Vertex v);

private:
  void countTriangles();
  void addEdge(Vertex a, Vertex b);
  void touch(Vertex v);

  bool countFill_;
  std::vector<std::vector<Vertex>> adjacent_; ///< sorted; may hold removed vertices
  std::vector<uint32_t> removed_;             ///< how many of adjacent_[v] are removed
  std::vector<uint32_t> degree_;
  std::vector<uint64_t> ownWeight_;
  std::vector<uint64_t> weight_;
  std::vector<uint64_t> unit_;        ///< 1, or the extent: an edge counts unit * unit
  std::vector<uint64_t> unitSum_;     ///< of the neighbours
  std::vector<uint64_t> unitSquares_; ///< of the neighbours
  std::vector<uint64_t> triangles_;   ///< edges among the neighbours, when countFill_
  std::vector<char> alive_;
  std::vector<uint64_t> touchedAt_; ///< number of the elimination that touched it last
  uint64_t eliminations_ = 0;
  uint64_t steps_ = 0;
  uint64_t addedEdges_ = 0;
  std::vector<Vertex> touched_;
  std::vector<Vertex> clique_, missing_; ///< scratch
};

} // namespace mpf
