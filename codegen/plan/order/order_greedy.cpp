#include "codegen/plan/order/order_greedy.h"

#include "codegen/plan/order/order_recorder.h"
#include "codegen/plan/order/vertex_heap.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "dsl/support/split_mix.h"

#include <algorithm>
#include <compare>

namespace mpf {

namespace {

struct Score {
  uint64_t first = 0;
  uint64_t second = 0;
  uint64_t tie = 0;

  friend auto operator<=>(const Score &, const Score &) = default;
};

class GreedyRun {
public:
  GreedyRun(const OrderProblem &problem, InteractionGraph &graph, const GreedyRule &rule)
      : problem_(problem), graph_(graph), rule_(rule), waits_(problem.waitsFor),
        heap_(graph.vertexCount()) {
    for (Vertex v = 0; v < graph.vertexCount(); ++v)
      if (allowed(v))
        heap_.set(v, score(v));
  }

  std::optional<Vertex> next() { return heap_.empty() ? std::nullopt : std::optional(heap_.pop()); }

  void eliminated(Vertex v, std::span<const Vertex> touched) {
    for (const Vertex u : touched)
      if (graph_.alive(u) && allowed(u))
        heap_.set(u, score(u));
    for (const Vertex u : problem_.later[v]) {
      MPF_CHECK(waits_[u] > 0, "vertex {} waited for no vertex, and not for {}", u, v);
      if (--waits_[u] == 0 && allowed(u))
        heap_.set(u, score(u));
    }
  }

private:
  bool allowed(Vertex v) const { return !problem_.isOutput[v] && waits_[v] == 0; }

  Score score(Vertex v) const {
    uint64_t fill = graph_.fill(v), weight = graph_.weight(v);
    const uint64_t hash =
        rule_.seed == 0 ? 0 : mixBits(rule_.seed * 0x2545f4914f6cdd1du + v + kGoldenGamma);
    // The blur is a whole number: contracted floating-point operations would differ between
    // machines.
    const uint64_t blur = (hash >> 44) * rule_.noise1024 >> 20; // below noise1024
    if (rule_.score == GreedyScore::Fill)
      return {saturatingMul(fill, 1024 + blur), weight, hash};
    if (rule_.score == GreedyScore::Degree)
      return {graph_.degree(v) * (1024 + blur), weight, hash};
    weight += blur * (2 * static_cast<uint64_t>(InteractionGraph::kWeightUnit) / 1024);
    return {weight, fill, hash};
  }

  const OrderProblem &problem_;
  InteractionGraph &graph_;
  const GreedyRule rule_;
  std::vector<uint32_t> waits_;
  VertexHeap<Score> heap_;
};

} // namespace

std::optional<EliminationOrder> greedyOrder(const OrderProblem &problem, InteractionGraph graph,
                                            const GreedyRule &rule, double costLimit,
                                            uint64_t *stepsTaken, const SearchStop *stop,
                                            uint64_t leastSteps) {
  constexpr size_t kEliminationsPerLook = 256;
  GreedyRun run(problem, graph, rule);
  OrderRecorder recorder(graph);
  bool isTooCostly = false, stopped = false;
  for (size_t i = 1; !isTooCostly; ++i) {
    stopped = stop && i % kEliminationsPerLook == 0 && graph.steps() >= leastSteps && stop->now();
    if (stopped)
      break;
    const std::optional<Vertex> v = run.next();
    if (!v || recorder.givesUp(*v))
      break;
    run.eliminated(*v, recorder.eliminate(*v));
    isTooCostly = recorder.cost() > costLimit;
  }
  if (stepsTaken)
    *stepsTaken = graph.steps();
  if (isTooCostly || stopped)
    return std::nullopt;
  EliminationOrder order = recorder.finish(problem);
  const auto kept =
      static_cast<size_t>(std::count(problem.isOutput.begin(), problem.isOutput.end(), char{1}));
  MPF_CHECK(order.hopeless || order.sequence.size() + kept == graph.vertexCount(),
            "greedy order has {} variables and {} kept ones of {}", order.sequence.size(), kept,
            graph.vertexCount());
  return order;
}

} // namespace mpf
