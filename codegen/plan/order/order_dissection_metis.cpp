#include "codegen/plan/order/order_dissection.h"

#include "dsl/support/check.h"

#include <metis.h>
#include <mutex>

namespace mpf {

std::vector<Vertex> dissectionSequence(InteractionGraph graph, uint64_t seed) {
  constexpr size_t kFewestVertices = 32;
  constexpr size_t kMostEntries = size_t{1} << 28;
  if (graph.vertexCount() < kFewestVertices)
    return {};
  std::vector<idx_t> starts{0}, neighbours, weights;
  for (Vertex v = 0; v < graph.vertexCount(); ++v) {
    for (const Vertex u : graph.neighbours(v))
      neighbours.push_back(static_cast<idx_t>(u));
    if (neighbours.size() > kMostEntries)
      return {};
    starts.push_back(static_cast<idx_t>(neighbours.size()));
    // A separator costs the product of its extents: log2 of them, in quarters of a bit.
    weights.push_back(1 + static_cast<idx_t>(graph.ownWeight(v) * 4 /
                                             static_cast<uint64_t>(InteractionGraph::kWeightUnit)));
  }
  if (neighbours.empty())
    return {};
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = static_cast<idx_t>(seed & 0x7fffffff);
  options[METIS_OPTION_NUMBERING] = 0;
  auto count = static_cast<idx_t>(graph.vertexCount());
  std::vector<idx_t> placeToVertex(graph.vertexCount()), vertexToPlace(graph.vertexCount());
  static std::mutex turn;
  const std::lock_guard<std::mutex> lock(turn);
  if (METIS_NodeND(&count, starts.data(), neighbours.data(), weights.data(), options,
                   placeToVertex.data(), vertexToPlace.data()) != METIS_OK)
    return {};
  std::vector<Vertex> sequence(graph.vertexCount(), UINT32_MAX);
  for (Vertex v = 0; v < graph.vertexCount(); ++v)
    sequence[static_cast<size_t>(vertexToPlace[v])] = v;
  for (size_t i = 0; i < sequence.size(); ++i)
    MPF_CHECK(sequence[i] != UINT32_MAX, "METIS puts no vertex at place {} of {}", i, count);
  return sequence;
}

} // namespace mpf
