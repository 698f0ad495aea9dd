// One lane of the search: annealing cycles of growing length, advanced round by round.
#pragma once

#include "codegen/plan/order/order_anneal.h"
#include "codegen/plan/order/order_portfolio.h"
#include "codegen/plan/program/search_stop.h"

#include <memory>

namespace mpf {

/// Deterministic: what a round finds depends on the seed, the earlier rounds and the best order it
/// is given. Different lanes may run on different threads.
class OrderLane {
public:
  /// `weighted`: the same graph with FillCount::Weighted; all outlive the lane.
  OrderLane(const OrderProblem &problem, const InteractionGraph &graph,
            const InteractionGraph &weighted, const LaneStrategy &strategy, uint64_t seed)
      : problem_(&problem), graph_(&graph), weighted_(&weighted), strategy_(strategy), seed_(seed) {
  }

  /// Walks for about `steps` graph steps; cycles that begin start from `best`. False
  /// when `stop` came first; the lane is of no use then.
  bool advance(uint64_t steps, const EliminationOrder &best, const SearchStop &stop);

  /// The cheapest order of the last round that was cheaper than the `best` it was given.
  const std::optional<EliminationOrder> &found() const { return found_; }
  uint64_t steps() const { return steps_; }

private:
  /// False when `stop` came before the cycle had its first order.
  bool beginCycle(const EliminationOrder &best, const SearchStop &stop);
  /// A randomised greedy run; empty when `stop` ended it.
  std::optional<EliminationOrder> freshOrder(const SearchStop &stop);

  const OrderProblem *problem_;
  const InteractionGraph *graph_, *weighted_;
  const LaneStrategy strategy_;
  uint64_t seed_;
  uint64_t cycles_ = 0;
  uint64_t steps_ = 0;
  std::unique_ptr<AnnealingWalk> walk_;
  std::optional<EliminationOrder> found_;
};

} // namespace mpf
