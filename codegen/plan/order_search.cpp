#include "codegen/plan/order_search.h"

#include "codegen/plan/order_greedy.h"
#include "codegen/plan/order_sweep.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <array>
#include <limits>

namespace mpf {

namespace {

/// One graph step (5 ns) takes as long as this many elementary operations of a program on one CPU
/// core.
constexpr double kOperationsPerStep = 2.5;
/// The search may take this share of the predicted run.
constexpr double kSearchShare = 0.5;
/// Restarts end after this many in a row that brought nothing.
constexpr int kMaxVainRestarts = 256;

/// Copying a vertex with its adjacency, in graph steps.
constexpr uint64_t kStepsPerCopiedVertex = 20;

struct Arm {
  bool weightedFill = false; ///< which of the two graphs
  GreedyScore score = GreedyScore::Fill;
  uint64_t noise1024 = 0;
};
constexpr std::array<Arm, 10> kArms = {{
    {true, GreedyScore::Fill, 1024},
    {false, GreedyScore::Fill, 1024},
    {true, GreedyScore::Fill, 4096},
    {false, GreedyScore::Weight, 1024},
    {true, GreedyScore::Fill, 512},
    {false, GreedyScore::Fill, 2048},
    {true, GreedyScore::Fill, 2048},
    {false, GreedyScore::Weight, 4096},
    {true, GreedyScore::Fill, 0},
    {false, GreedyScore::Fill, 0},
}};

class Search {
public:
  Search(const OrderProblem &problem, const PlanOptions &options, uint64_t &stepsLeft)
      : problem_(problem), options_(options), stepsLeft_(stepsLeft),
        graph_(problem.extents, problem.cliques,
               options.order == OrderMethod::Sweep ? FillCount::None : FillCount::Edges) {}

  OrderSearchResult run() {
    switch (options_.order) {
    case OrderMethod::MinFill:
      greedy(graph_, {GreedyScore::Fill, 0, options_.seed});
      break;
    case OrderMethod::MinWeight:
      greedy(graph_, {GreedyScore::Weight, 0, options_.seed});
      break;
    case OrderMethod::Sweep:
      problem_.constrained ? greedy(graph_, {GreedyScore::Weight, 0, options_.seed}) : sweep();
      break;
    case OrderMethod::Auto:
      portfolio();
      break;
    }
    MPF_CHECK(found_, "no elimination order for {} variables", problem_.variables.size());
    return std::move(best_);
  }

private:
  double limit() const {
    return found_ ? best_.cheapest.cost : std::numeric_limits<double>::infinity();
  }

  void greedy(const InteractionGraph &graph, const GreedyRule &rule) {
    uint64_t steps = 0;
    auto order = greedyOrder(problem_, graph, rule, limit(), &steps);
    take(std::move(order), steps);
  }

  void sweep() {
    uint64_t steps = 0;
    auto order = sweepOrder(problem_, graph_, limit(), &steps);
    take(std::move(order), steps);
  }

  void take(std::optional<EliminationOrder> order, uint64_t steps) {
    // The copy of the graph counts as well: restarts on large sparse graphs are not free.
    steps += kStepsPerCopiedVertex * problem_.variables.size();
    spent_ += steps;
    stepsLeft_ -= std::min(stepsLeft_, steps);
    improved_ = order && (!found_ || order->cost < best_.cheapest.cost);
    if (!order)
      return;
    if (!found_ || order->log2Largest < best_.smallest.log2Largest)
      best_.smallest = *order;
    if (improved_)
      best_.cheapest = std::move(*order);
    found_ = true;
  }

  /// Searching on may pay while it took less than its share of the predicted run.
  bool worthIt() const {
    return !best_.cheapest.perfect && stepsLeft_ > 0 &&
           kOperationsPerStep * static_cast<double>(spent_) < kSearchShare * best_.cheapest.cost;
  }

  void portfolio() {
    greedy(graph_, {GreedyScore::Fill, 0, options_.seed});
    if (worthIt())
      greedy(graph_, {GreedyScore::Weight, 0, options_.seed});
    if (worthIt() && !problem_.constrained)
      sweep();
    if (!worthIt())
      return;
    const InteractionGraph weighted(problem_.extents, problem_.cliques, FillCount::Weighted);
    // Every other restart repeats the rule that found the best order so far, with a new seed.
    size_t lucky = 0;
    int vain = 0;
    for (uint64_t i = 1; worthIt() && vain < kMaxVainRestarts; ++i) {
      const size_t index = i % 2 ? (i / 2) % kArms.size() : lucky;
      const Arm &arm = kArms[index];
      greedy(arm.weightedFill ? weighted : graph_, {arm.score, arm.noise1024, options_.seed + i});
      lucky = improved_ ? index : lucky;
      vain = improved_ ? 0 : vain + 1;
    }
  }

  const OrderProblem &problem_;
  const PlanOptions &options_;
  uint64_t &stepsLeft_;
  InteractionGraph graph_;
  OrderSearchResult best_;
  bool found_ = false;
  bool improved_ = false;
  uint64_t spent_ = 0;
};

} // namespace

OrderSearchResult searchOrders(const OrderProblem &problem, const PlanOptions &options,
                               uint64_t &stepsLeft) {
  return Search(problem, options, stepsLeft).run();
}

} // namespace mpf
