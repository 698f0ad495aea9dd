#include "codegen/plan/order/interaction_graph.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {
/// Most steps the first fill count may take: about a second.
constexpr uint64_t kMaxCountSteps = 200'000'000;
/// Larger extents count as this, so that sums of squares stay far from 2^64.
constexpr uint64_t kMaxUnit = 4096;
constexpr uint64_t kStepsPerTouch = 10;
constexpr uint64_t kStepsPerEdge = 10;
} // namespace

InteractionGraph::InteractionGraph(const std::vector<uint64_t> &extents,
                                   const std::vector<std::vector<Vertex>> &cliques, FillCount count)
    : countFill_(count != FillCount::None), adjacent_(extents.size()), removed_(extents.size(), 0),
      degree_(extents.size(), 0), ownWeight_(extents.size()), triangles_(extents.size(), 0),
      alive_(extents.size(), 1), touchedAt_(extents.size(), 0) {
  for (size_t v = 0; v < extents.size(); ++v) {
    MPF_CHECK(extents[v] > 0, "vertex {} has no state", v);
    ownWeight_[v] = static_cast<uint64_t>(
        std::llround(std::log2(static_cast<double>(extents[v])) * kWeightUnit));
  }
  weight_ = ownWeight_;
  for (size_t v = 0; v < extents.size(); ++v)
    unit_.push_back(count == FillCount::Weighted ? std::min(extents[v], kMaxUnit) : 1);
  unitSum_.assign(extents.size(), 0);
  unitSquares_.assign(extents.size(), 0);
  for (const auto &clique : cliques)
    for (const Vertex a : clique) {
      MPF_CHECK(a < extents.size(), "vertex {} of {}", a, extents.size());
      for (const Vertex b : clique)
        if (a != b)
          adjacent_[a].push_back(b);
    }
  for (size_t v = 0; v < extents.size(); ++v) {
    auto &list = adjacent_[v];
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    degree_[v] = static_cast<uint32_t>(list.size());
    for (const Vertex b : list) {
      weight_[v] += ownWeight_[b];
      unitSum_[v] += unit_[b];
      unitSquares_[v] += unit_[b] * unit_[b];
    }
    steps_ += list.size();
  }
  if (countFill_)
    countTriangles();
}

void InteractionGraph::countTriangles() {
  uint64_t countSteps = 0;
  for (Vertex a = 0; a < vertexCount(); ++a)
    for (const Vertex b : adjacent_[a])
      countSteps += a < b ? std::min(degree_[a], degree_[b]) : 0;
  countFill_ = countSteps <= kMaxCountSteps;
  if (!countFill_)
    return;
  // An edge (a, b) is an edge among the neighbours of every common neighbour. Walking the shorter
  // list and searching the longer keeps the hub of a star cheap.
  for (Vertex a = 0; a < vertexCount(); ++a)
    for (const Vertex b : adjacent_[a]) {
      const bool shorter = degree_[a] < degree_[b] || (degree_[a] == degree_[b] && a < b);
      if (!shorter)
        continue;
      for (const Vertex c : adjacent_[a])
        if (c != b && std::binary_search(adjacent_[b].begin(), adjacent_[b].end(), c))
          triangles_[c] += unit_[a] * unit_[b];
      steps_ += degree_[a];
    }
}

std::span<const Vertex> InteractionGraph::neighbours(Vertex v) {
  auto &list = adjacent_[v];
  if (removed_[v] != 0) {
    steps_ += list.size();
    std::erase_if(list, [this](Vertex u) { return !alive_[u]; });
    removed_[v] = 0;
  }
  return list;
}

void InteractionGraph::touch(Vertex v) {
  if (touchedAt_[v] == eliminations_)
    return;
  touchedAt_[v] = eliminations_;
  touched_.push_back(v);
}

void InteractionGraph::addEdge(Vertex a, Vertex b) {
  if (countFill_) {
    // Each common neighbour gains an edge among its neighbours; a and b gain one per common.
    const std::span<const Vertex> left = neighbours(a), right = neighbours(b);
    uint64_t common = 0;
    for (size_t i = 0, j = 0; i < left.size() && j < right.size();) {
      if (left[i] != right[j]) {
        left[i] < right[j] ? ++i : ++j;
        continue;
      }
      triangles_[left[i]] += unit_[a] * unit_[b];
      touch(left[i]);
      common += unit_[left[i]];
      ++i, ++j;
    }
    triangles_[a] += common * unit_[b];
    triangles_[b] += common * unit_[a];
    steps_ += left.size() + right.size();
  }
  for (const auto &[from, to] : {std::pair{a, b}, std::pair{b, a}}) {
    auto &list = adjacent_[from];
    list.insert(std::lower_bound(list.begin(), list.end(), to), to);
    ++degree_[from];
    weight_[from] += ownWeight_[to];
    unitSum_[from] += unit_[to];
    unitSquares_[from] += unit_[to] * unit_[to];
  }
  ++addedEdges_;
  steps_ += kStepsPerEdge;
}

std::span<const Vertex> InteractionGraph::eliminate(Vertex v) {
  MPF_CHECK(alive_[v], "vertex {} is eliminated twice", v);
  ++eliminations_;
  touched_.clear();
  const std::span<const Vertex> live = neighbours(v);
  clique_.assign(live.begin(), live.end());
  const bool simplicial = countFill_ && fill(v) == 0;
  for (size_t i = 0; !simplicial && i < clique_.size(); ++i) {
    // Merge the rest of the clique with the sorted neighbours; what is missing is added.
    const Vertex a = clique_[i];
    missing_.clear();
    const std::span<const Vertex> known = neighbours(a);
    std::set_difference(clique_.begin() + static_cast<std::ptrdiff_t>(i) + 1, clique_.end(),
                        known.begin(), known.end(), std::back_inserter(missing_));
    steps_ += known.size() + clique_.size() - i;
    for (const Vertex b : missing_)
      addEdge(a, b);
  }
  alive_[v] = 0;
  const uint64_t cliqueUnits = unitSum_[v];
  for (const Vertex a : clique_) {
    // v's neighbours are a clique now: of a's neighbours, all of it but a itself touch v.
    --degree_[a];
    ++removed_[a];
    weight_[a] -= ownWeight_[v];
    unitSum_[a] -= unit_[v];
    unitSquares_[a] -= unit_[v] * unit_[v];
    if (countFill_)
      triangles_[a] -= unit_[v] * (cliqueUnits - unit_[a]);
    touch(a);
  }
  // A caller that orders the vertices by score has to update a heap for each of them.
  steps_ += clique_.size() + kStepsPerTouch * touched_.size();
  return touched_;
}

} // namespace mpf
