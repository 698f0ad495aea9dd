#include "codegen/plan/order_search.h"

#include "codegen/plan/order_greedy.h"
#include "codegen/plan/order_sweep.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <limits>

namespace mpf {

namespace {

/// One graph step costs about as much as this many elementary operations of the program.
constexpr double kOperationsPerStep = 4;
/// Restarts end after this many in a row that brought nothing.
constexpr int kMaxVainRestarts = 64;

class Search {
public:
  Search(const OrderProblem &problem, const PlanOptions &options, uint64_t &stepsLeft)
      : problem_(problem), options_(options), stepsLeft_(stepsLeft),
        graph_(problem.extents, problem.cliques, options.order != OrderMethod::Sweep) {}

  OrderSearchResult run() {
    switch (options_.order) {
    case OrderMethod::MinFill:
      greedy(GreedyScore::Fill, options_.seed);
      break;
    case OrderMethod::MinWeight:
      greedy(GreedyScore::Weight, options_.seed);
      break;
    case OrderMethod::Sweep:
      problem_.constrained ? greedy(GreedyScore::Weight, options_.seed) : sweep();
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

  void greedy(GreedyScore score, uint64_t seed) {
    uint64_t steps = 0;
    take(greedyOrder(problem_, graph_, score, seed, limit(), &steps), steps);
  }

  void sweep() {
    uint64_t steps = 0;
    take(sweepOrder(problem_, graph_, limit(), &steps), steps);
  }

  void take(std::optional<EliminationOrder> order, uint64_t steps) {
    // The copy of the graph counts as well: restarts on large sparse graphs are not free.
    steps += problem_.variables.size();
    spent_ += steps;
    stepsLeft_ -= std::min(stepsLeft_, steps);
    improved_ = order && (!found_ || order->cost < best_.cheapest.cost);
    if (!order)
      return;
    if (!found_ || order->largest < best_.smallest.largest)
      best_.smallest = *order;
    if (improved_)
      best_.cheapest = std::move(*order);
    found_ = true;
  }

  /// Searching on pays while it took less than a quarter of the predicted run.
  bool worthIt() const {
    return !best_.cheapest.perfect && stepsLeft_ > 0 &&
           kOperationsPerStep * static_cast<double>(spent_) < best_.cheapest.cost / 4;
  }

  void portfolio() {
    greedy(GreedyScore::Fill, options_.seed);
    if (worthIt())
      greedy(GreedyScore::Weight, options_.seed);
    if (worthIt() && !problem_.constrained)
      sweep();
    int vain = 0;
    for (uint64_t i = 1; worthIt() && vain < kMaxVainRestarts; ++i) {
      greedy(i % 3 == 0 ? GreedyScore::Weight : GreedyScore::Fill, options_.seed + i);
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
