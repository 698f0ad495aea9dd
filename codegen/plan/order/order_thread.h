// Runs one annealing thread of the search for orders: annealing cycles (schedules) of growing
// length, one after another, in the rounds of order_search.h.
#pragma once

#include "codegen/plan/order/order_anneal.h"
#include "codegen/plan/order/order_portfolio.h"
#include "codegen/plan/program/search_stop.h"

#include <memory>

namespace mpf {

/// Results depend only on the seed, on the earlier rounds and on the best orders passed to them.
/// Not thread-safe; distinct objects may run on distinct threads.
class OrderThread {
public:
  /// `weighted`: the same graph with FillCount::Weighted. All references must outlive it.
  OrderThread(const OrderProblem &problem, const InteractionGraph &graph,
              const InteractionGraph &weighted, const ThreadStrategy &strategy, uint64_t seed)
      : problem_(&problem), graph_(&graph), weighted_(&weighted), strategy_(strategy), seed_(seed) {
  }

  /// Runs one round: anneals for about `steps` graph steps, or up to one temperature more. Looks at
  /// a tree when the walk since the last look took as long as that look, and at the end of a cycle.
  /// A new cycle starts from the cheapest of `best` or, if ThreadStrategy::fresh, from a randomised
  /// greedy order. False when `stop` ended the round; then the object must not be used any more.
  bool advance(uint64_t steps, const BestOrders &best, const SearchStop &stop);

  /// The cheapest and the fastest order that the last round found, if they are better than the
  /// `best` that it was given.
  const std::optional<EliminationOrder> &cheapest() const { return cheapest_; }
  const std::optional<EliminationOrder> &fastest() const { return fastest_; }
  uint64_t steps() const { return steps_; } ///< graph steps of all rounds, without looks
  uint64_t looks() const { return looks_; } ///< trees that were looked at

private:
  /// False when `stop` came before the cycle had its first order.
  bool beginCycle(const EliminationOrder &best, const SearchStop &stop);
  /// Takes the tree if it is better than what was found, and than `best`.
  void look(const EliminationTree &tree, const BestOrders &best);
  /// A randomised greedy run; empty when `stop` ended it.
  std::optional<EliminationOrder> freshOrder(const SearchStop &stop);

  const OrderProblem *problem_;
  const InteractionGraph *graph_, *weighted_;
  const ThreadStrategy strategy_;
  uint64_t seed_;
  uint64_t cycles_ = 0;
  uint64_t steps_ = 0;
  uint64_t unpaidSteps_ = 0; ///< steps of the last look, less those of the walk since
  uint64_t looks_ = 0;
  std::unique_ptr<AnnealingWalk> walk_;
  std::optional<EliminationOrder> cheapest_, fastest_;
};

} // namespace mpf
