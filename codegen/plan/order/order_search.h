// Searches for the order of one component: one greedy run, then rounds with the methods of
// order_portfolio.h.
//
// The first round tries every opening strategy. Later rounds advance the annealing threads from the
// best order of the rounds before. Where there are given orders, or the messages of the cheapest
// order are too large for an elimination tree, they make randomised greedy restarts instead. What a
// round finds depends only on the seed and on the rounds before, not on time or threads.
//
// The search minimises operations (bucket_cost.h), and they also decide when it ends. Every address
// counts, so wide buckets become narrower one by one. The predicted time of a run would not lead
// there, because it changes only with whole buckets. But the search also predicts a run of every
// tree that it reaches, and keeps the fastest order beside the cheapest.
#pragma once

#include "codegen/plan/order/order_problem.h"
#include "codegen/plan/order/order_thread.h"
#include "codegen/plan/program/plan_options.h"
#include "codegen/plan/program/planning_budget.h"
#include "codegen/plan/program/search_stop.h"

#include <cmath>
#include <optional>
#include <vector>

namespace mpf {

/// Searches for the order of one component. Not thread-safe; a round starts threads for itself.
class OrderSearch {
public:
  /// Makes the first run: greedy, or a sweep for OrderMethod::Sweep without given orders. With Auto
  /// and without given orders, `stop` may cut a long greedy run off; then a sweep is made instead
  /// (truncated). `problem` and `options` must outlive the search.
  OrderSearch(const OrderProblem &problem, const PlanOptions &options, const SearchStop &stop);

  /// Considers one more order, which must hold every vertex but the output variables. Call it
  /// before the first round, and only without given orders.
  void startFrom(const std::vector<Vertex> &sequence);

  /// True when no more rounds are to be made: they cannot find a better order, or are very unlikely
  /// to.
  bool finished() const { return finished_; }
  /// Runs the next round on `threads` threads (0: one per core). False when `stop` ended it:
  /// nothing that it found is taken, and the search is finished. Call it only if not finished().
  bool round(unsigned threads, const SearchStop &stop);

  const BestOrders &result() const { return best_; }
  /// True when the greedy first run was cut off. Then the same number of rounds need not find the
  /// same order.
  bool truncated() const { return truncated_; }
  /// True when an order is known whose messages are within the memory bound.
  bool fits() const;
  uint64_t steps() const { return steps_; } ///< graph steps of all threads together
  uint64_t rounds() const { return rounds_; }
  /// Rounds since the last with a cheaper order.
  uint64_t vainRounds() const { return vainRounds_; }
  /// Time that the rounds so far took and saved. It is predicted for the device of `costs`, from
  /// the best order that was known at the end of each round.
  SearchAccount account(const RunCosts &costs) const;

private:
  /// The result of one task of a round.
  struct TaskResult {
    std::optional<EliminationOrder> order;
    uint64_t steps = 0;
  };

  /// A cheaper order was found by the end of a round.
  struct Improvement {
    uint64_t steps = 0;
    double runUs = 0; ///< EliminationOrder::runUs; infinite: the work is unknown
    RunWork work;

    double runUsBy(const RunCosts &costs) const {
      return std::isinf(runUs) ? runUs : costs.runUs(work);
    }
  };

  bool opening(unsigned threads, const SearchStop &stop);
  bool advanceThreads(unsigned threads, const SearchStop &stop);
  bool restarts(unsigned threads, const SearchStop &stop);
  void makeThreads();
  uint64_t threadSteps() const;
  void take(EliminationOrder order);
  Improvement improvement(uint64_t steps) const;
  const Improvement &bestAfter(uint64_t steps) const;
  /// Takes the results of a round in the order of its tasks. Takes none, and returns false, if
  /// `stop` ended the round.
  bool takeAll(std::vector<TaskResult> &results, const SearchStop &stop);

  const OrderProblem *problem_;
  const PlanOptions *options_;
  InteractionGraph graph_;
  std::optional<InteractionGraph> weighted_; ///< from round 1 on
  std::vector<OrderThread> orderThreads_;    ///< from round 2 on
  BestOrders best_;
  std::vector<Improvement> improvements_; ///< the first run, then at most one for each round
  bool finished_ = false;
  bool truncated_ = false;
  bool perfect_ = false; ///< the order of the first run added no edge
  uint64_t rounds_ = 0;
  uint64_t vainRounds_ = 0;
  uint64_t steps_ = 0;
};

} // namespace mpf
