#include "codegen/plan/order_greedy.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <tuple>

namespace mpf {

namespace {

struct Candidate {
  uint64_t score = 0;
  uint64_t second = 0;
  uint64_t tie = 0;
  Vertex vertex = 0;

  auto key() const { return std::tie(score, second, tie, vertex); }
  /// For std::push_heap, which keeps the greatest on top.
  friend bool operator<(const Candidate &a, const Candidate &b) { return a.key() > b.key(); }
};

/// SplitMix64's finaliser (Steele, Lea and Flood 2014): a fixed mixing of 64 bits.
uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

class GreedyRun {
public:
  GreedyRun(const OrderProblem &problem, InteractionGraph &graph, GreedyScore score, uint64_t seed)
      : problem_(problem), graph_(graph), score_(score), seed_(seed), waits_(problem.waitsFor) {
    for (Vertex v = 0; v < graph.vertexCount(); ++v)
      if (allowed(v))
        heap_.push_back(candidate(v));
    std::make_heap(heap_.begin(), heap_.end());
  }

  std::optional<Vertex> next() {
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end());
      const Candidate top = heap_.back();
      heap_.pop_back();
      if (graph_.alive(top.vertex) && candidate(top.vertex).key() == top.key())
        return top.vertex;
    }
    return std::nullopt;
  }

  void eliminated(Vertex v, std::span<const Vertex> touched) {
    for (const Vertex u : touched)
      if (graph_.alive(u) && allowed(u))
        push(u);
    for (const Vertex u : problem_.later[v])
      if (--waits_[u] == 0 && allowed(u))
        push(u);
  }

private:
  bool allowed(Vertex v) const { return !problem_.kept[v] && waits_[v] == 0; }

  Candidate candidate(Vertex v) const {
    const uint64_t fill = graph_.fill(v), weight = graph_.weight(v);
    const uint64_t tie = seed_ == 0 ? 0 : mix(seed_ * 0x2545f4914f6cdd1du + v);
    return score_ == GreedyScore::Fill ? Candidate{fill, weight, tie, v}
                                       : Candidate{weight, fill, tie, v};
  }

  void push(Vertex v) {
    heap_.push_back(candidate(v));
    std::push_heap(heap_.begin(), heap_.end());
  }

  const OrderProblem &problem_;
  InteractionGraph &graph_;
  GreedyScore score_;
  uint64_t seed_;
  std::vector<uint32_t> waits_;
  std::vector<Candidate> heap_;
};

} // namespace

std::optional<EliminationOrder> greedyOrder(const OrderProblem &problem, InteractionGraph graph,
                                            GreedyScore score, uint64_t seed, double costLimit,
                                            uint64_t *stepsTaken) {
  GreedyRun run(problem, graph, score, seed);
  OrderRecorder recorder(graph);
  bool tooDear = false;
  while (!tooDear) {
    const std::optional<Vertex> v = run.next();
    if (!v || recorder.givesUp(*v))
      break;
    run.eliminated(*v, recorder.eliminate(*v));
    tooDear = recorder.cost() > costLimit;
  }
  if (stepsTaken)
    *stepsTaken = graph.steps();
  if (tooDear)
    return std::nullopt;
  EliminationOrder order = recorder.finish();
  const auto kept =
      static_cast<size_t>(std::count(problem.kept.begin(), problem.kept.end(), char{1}));
  MPF_CHECK(order.hopeless || order.sequence.size() + kept == graph.vertexCount(),
            "greedy order has {} variables and {} kept ones of {}", order.sequence.size(), kept,
            graph.vertexCount());
  return order;
}

} // namespace mpf
