// Represents the interaction graph: one vertex for each variable, an edge between variables that
// share a table.
//
// To eliminate a vertex is to make its neighbours a clique and to remove it (Dechter 1999, "Bucket
// elimination", section 4). The graph keeps up to date for every vertex:
//   degree   the number of its neighbours
//   weight   log2 of the addresses of its bucket: its extent times those of its neighbours
//   fill     the edges that its elimination would add: pairs of neighbours less the edges among
//            them; each counts 1 or, with FillCount::Weighted, the product of its ends' extents
//
// It has sorted adjacency vectors with lazy deletion, and no n * n matrix: to eliminate a star of
// 5,000 leaves or a chain of 100,000 variables takes near-linear time. Not thread-safe; copies are
// independent.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

enum class FillCount {
  None,     ///< existing edges are not counted: fill() is an upper bound, in the least time
  Edges,    ///< every added edge counts 1
  Weighted, ///< an added edge counts the product of the extents of its ends, each at most 4096
};

using Vertex = uint32_t;

class InteractionGraph {
public:
  /// Weights are log2 of extents in this unit (fixed point), so that sums do not depend on the
  /// order of summation.
  static constexpr double kWeightUnit = 1 << 20;

  /// `cliques`: the scopes of the tables, vertices in ascending order. Every added edge costs an
  /// intersection of adjacency vectors, unless `count` is None. On dense graphs, where the first
  /// count alone would take about a second or more, existing edges are not counted either.
  InteractionGraph(const std::vector<uint64_t> &extents,
                   const std::vector<std::vector<Vertex>> &cliques, FillCount count);

  /// The number of vertices, eliminated ones included.
  size_t vertexCount() const { return adjacent_.size(); }
  bool alive(Vertex v) const { return alive_[v] != 0; } ///< v is not eliminated
  uint32_t degree(Vertex v) const { return degree_[v]; }
  uint64_t weight(Vertex v) const { return weight_[v]; }
  uint64_t ownWeight(Vertex v) const { return ownWeight_[v]; } ///< log2 of the extent of v
  /// Number of pairs of neighbours, as (sum^2 - sum of squares) / 2, less the edges among them.
  uint64_t fill(Vertex v) const {
    return (unitSum_[v] * unitSum_[v] - unitSquares_[v]) / 2 - triangles_[v];
  }
  /// Elementary steps so far: the unit of PlanOptions::searchSteps.
  uint64_t steps() const { return steps_; }
  uint64_t addedEdges() const { return addedEdges_; }

  /// The neighbours of v that are not eliminated, ascending. Valid until the next eliminate().
  std::span<const Vertex> neighbours(Vertex v);

  /// Eliminates v, which must be alive (else Error(Internal)). Returns the vertices whose degree,
  /// weight or fill changed, each once; valid until the next call.
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
  std::vector<uint64_t> unitSum_;     ///< sum over the neighbours
  std::vector<uint64_t> unitSquares_; ///< sum of squares over the neighbours
  std::vector<uint64_t> triangles_;   ///< edges among the neighbours; 0 unless countFill_
  std::vector<char> alive_;
  std::vector<uint64_t> touchedAt_; ///< by vertex: number of the last elimination that changed it
  uint64_t eliminations_ = 0;
  uint64_t steps_ = 0;
  uint64_t addedEdges_ = 0;
  std::vector<Vertex> touched_;
  std::vector<Vertex> clique_, missing_; ///< scratch
};

} // namespace mpf
