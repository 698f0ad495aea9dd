// The search for the order of one connected part: one greedy run, then rounds of the portfolio.
//
// Round 1 tries every other opening strategy (order_portfolio.h). All later rounds advance the
// annealing lanes, or randomised greedy restarts where a given order forbids rotations, from the
// best order of the rounds before. What a round finds depends on the seed and on those rounds
// alone, whatever the clock and the number of threads.
#pragma once

#include "codegen/plan/order/order_lane.h"
#include "codegen/plan/order/order_problem.h"
#include "codegen/plan/program/plan_options.h"
#include "codegen/plan/program/search_stop.h"

#include <optional>
#include <vector>

namespace mpf {

struct OrderSearchResult {
  EliminationOrder cheapest;
  EliminationOrder smallest; ///< least largest message; completed if any order was
};

class OrderSearch {
public:
  /// Makes the first run: greedy, and where that takes long and `stop` says so, a sweep instead.
  /// `problem` must outlive the search.
  OrderSearch(const OrderProblem &problem, const PlanOptions &options, const SearchStop &stop);

  /// Takes one more order to begin with; before the first round.
  void startFrom(const std::vector<Vertex> &sequence);

  /// True when more rounds cannot find a better order.
  bool finished() const { return finished_; }
  /// Runs the next round on `threads` threads. False when `stop` came before its end: nothing of it
  /// was taken, and the search is over.
  bool round(unsigned threads, const SearchStop &stop);

  const OrderSearchResult &result() const { return best_; }
  /// True when there was no time for the greedy first run; then the same number of rounds does not
  /// find the same order.
  bool truncated() const { return truncated_; }
  /// An order is known whose messages are within the memory bound.
  bool fits() const;
  uint64_t steps() const { return steps_; } ///< graph steps of all threads together
  uint64_t rounds() const { return rounds_; }
  uint64_t vainRounds() const { return vainRounds_; } ///< since the last one that improved
  /// Cost of the cheapest order that was known after so many steps, rounds taken as wholes.
  double costAfter(uint64_t steps) const;

private:
  /// The result of one task of a round.
  struct TaskResult {
    std::optional<EliminationOrder> order;
    uint64_t steps = 0;
  };

  /// A cheaper order was found by the end of a round.
  struct Improvement {
    uint64_t steps = 0;
    double cost = 0;
  };

  bool opening(unsigned threads, const SearchStop &stop);
  bool advanceLanes(unsigned threads, const SearchStop &stop);
  bool restarts(unsigned threads, const SearchStop &stop);
  void makeLanes();
  uint64_t laneSteps() const;
  void take(EliminationOrder order);
  /// Ends a round of tasks, in their order; false when `stop` came before.
  bool takeAll(std::vector<TaskResult> &results, const SearchStop &stop);

  const OrderProblem *problem_;
  const PlanOptions *options_;
  InteractionGraph graph_;
  std::optional<InteractionGraph> weighted_; ///< from round 1 on
  std::vector<OrderLane> lanes_;             ///< from round 2 on
  OrderSearchResult best_;
  std::vector<Improvement> improvements_; ///< the first run, then one at most a round
  bool finished_ = false;
  bool truncated_ = false;
  bool perfect_ = false; ///< the first run added no edge
  uint64_t rounds_ = 0;
  uint64_t vainRounds_ = 0;
  uint64_t steps_ = 0;
};

} // namespace mpf
