// Searches for the order of one component: one greedy run, then rounds with the methods of
// order_portfolio.h.
//
// The first round tries every opening strategy. Later rounds advance the annealing threads from the
// best order of the rounds before. Where there are given orders, or the messages of the cheapest
// order are too large for an elimination tree, they make randomised greedy restarts instead. What a
// round finds depends only on the seed and on the rounds before, not on time or threads.
//
// The search goes by operations (bucket_cost.h), in its steps and in its end: every address counts,
// so wide buckets become narrower one by one, which the predicted run, to which whole buckets add
// nothing, does not lead to. But every tree that it comes to is looked at by its predicted run too,
// and the fastest is kept beside the cheapest.
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

/// The search of one component. Not thread-safe; a round uses threads of its own.
class OrderSearch {
public:
  /// Makes the first run: greedy, or a sweep for OrderMethod::Sweep without given orders. With Auto
  /// and without given orders, `stop` may cut a long greedy run off; then a sweep is made instead
  /// (truncated). `problem` and `options` must outlive the search.
  OrderSearch(const OrderProblem &problem, const PlanOptions &options, const SearchStop &stop);

  /// Takes account of one more order, which must hold every vertex but the output variables. To be
  /// called before the first round, and only without given orders.
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
  uint64_t vainRounds() const { return vainRounds_; } ///< since the last with a cheaper order
  /// What the rounds so far took and saved, by the predicted runs, on the device of `costs`, of the
  /// best order that was known at the end of each.
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
    double runUs = 0; ///< EliminationOrder::runUs: infinite where nothing is known of its work
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
  /// Takes the results of a round in the order of its tasks; false, taking none, if `stop` says so.
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
