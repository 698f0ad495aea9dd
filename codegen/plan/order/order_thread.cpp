#include "codegen/plan/order/order_thread.h"

#include "codegen/plan/order/order_work.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

constexpr uint32_t kFirstTemperatures = 16;
constexpr uint64_t kMostDoublings = 10;
/// The least steps that a temperature counts as, even in a network of two variables.
constexpr uint64_t kLeastTemperatureSteps = 24;

/// Steps of a look at a tree of `vertices`: to sum its buckets, and to list its sequence and all
/// works.
uint64_t summingSteps(size_t vertices) { return 8 + 2 * vertices; }
uint64_t listingSteps(size_t vertices) { return 32 + 4 * vertices; }

} // namespace

std::optional<EliminationOrder> OrderThread::freshOrder(const SearchStop &stop) {
  const RestartStrategy &rule = restartStrategies()[cycles_ % restartStrategies().size()];
  uint64_t steps = 0;
  std::optional<EliminationOrder> order = greedyOrder(
      *problem_, rule.fill == FillCount::Weighted ? *weighted_ : *graph_,
      {rule.score, rule.noise1024, seed_}, std::numeric_limits<double>::infinity(), &steps, &stop);
  steps_ += steps;
  return order;
}

bool OrderThread::beginCycle(const EliminationOrder &best, const SearchStop &stop) {
  MPF_CHECK(strategy_.cyclesPerLength > 0, "schedules grow after every {} cycles",
            strategy_.cyclesPerLength);
  AnnealingSchedule schedule;
  schedule.hot = strategy_.hot;
  schedule.cold = strategy_.cold;
  schedule.temperatures = kFirstTemperatures
                          << std::min(cycles_ / strategy_.cyclesPerLength, kMostDoublings);
  ++seed_;
  const std::vector<Vertex> *from = &best.sequence;
  std::optional<EliminationOrder> fresh;
  if (strategy_.fresh) {
    fresh = freshOrder(stop);
    // Starting from `best` instead would make what is found depend on the clock.
    if (!fresh)
      return false;
    if (!fresh->hopeless && fresh->log2Largest < kMaxTreeLog2Elems)
      from = &fresh->sequence;
  }
  ++cycles_;
  walk_ = std::make_unique<AnnealingWalk>(*problem_, *from, schedule, seed_);
  return true;
}

void OrderThread::look(const EliminationTree &tree, const BestOrders &best) {
  ++looks_;
  unpaidSteps_ = 0;
  const EliminationOrder &cheapest = cheapest_ ? *cheapest_ : best.cheapest;
  const EliminationOrder &fastest = fastest_ ? *fastest_ : best.fastest;
  const bool isCheaper = tree.cost() < cheapest.cost * kCheaper;
  if (!isCheaper && !mayBeFastest(tree.cost(), cheapest))
    return;
  const RunCosts &costs = problem_->runCosts;
  const double leastUs = costs.runUs(joinedSums(tree, *problem_));
  unpaidSteps_ = summingSteps(tree.eliminated().size());
  if (!isCheaper && !(leastUs < fastest.joinedUs * kCheaper))
    return;
  EliminationOrder order;
  order.sequence = tree.sequence();
  setRuns(tree, order.sequence, *problem_, order);
  unpaidSteps_ += listingSteps(order.sequence.size());
  const bool isFaster = order.joinedUs < fastest.joinedUs * kCheaper;
  if (!isCheaper && !isFaster)
    return;
  order.cost = tree.cost();
  order.log2Largest = std::log2(tree.largestMessageElems());
  if (isFaster)
    fastest_ = order;
  if (isCheaper)
    cheapest_ = std::move(order);
}

bool OrderThread::advance(uint64_t steps, const BestOrders &best, const SearchStop &stop) {
  cheapest_.reset();
  fastest_.reset();
  for (const uint64_t end = steps_ + steps; steps_ < end;) {
    if (stop.now())
      return false;
    const uint64_t before = walk_ ? walk_->tree().steps() : 0; // building the tree counts as well
    if (!walk_ && !beginCycle(best.cheapest, stop))
      return false;
    const bool more = walk_->nextTemperature();
    const uint64_t walked = std::max(walk_->tree().steps() - before + 1, kLeastTemperatureSteps);
    steps_ += walked;
    unpaidSteps_ -= std::min(unpaidSteps_, walked);
    // Where few buckets matter, a temperature takes less time than a look at all of them.
    if (!more || unpaidSteps_ == 0)
      look(walk_->tree(), best);
    if (!more)
      walk_.reset();
  }
  return true;
}

} // namespace mpf
