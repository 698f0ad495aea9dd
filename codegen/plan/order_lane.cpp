#include "codegen/plan/order_lane.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

constexpr uint32_t kFirstSweeps = 16;
constexpr uint64_t kMostDoublings = 10;
/// Costs that differ by less are equal: sums of doubles depend on their order.
constexpr double kCheaper = 1 - 1e-9;
constexpr uint64_t kFreshNoise1024 = 1024;

} // namespace

void OrderLane::beginCycle(const EliminationOrder &best, const SearchStop &stop) {
  AnnealingSchedule schedule;
  schedule.hot = strategy_.hot;
  schedule.cold = strategy_.cold;
  schedule.sweeps = kFirstSweeps << std::min(cycles_, kMostDoublings);
  ++cycles_;
  ++seed_;
  if (strategy_.fresh && cycles_ % 2 == 1) {
    uint64_t steps = 0;
    const auto fresh = greedyOrder(*problem_, *graph_, {GreedyScore::Fill, kFreshNoise1024, seed_},
                                   std::numeric_limits<double>::infinity(), &steps, &stop);
    steps_ += steps;
    if (fresh && !fresh->hopeless && fresh->log2Largest < kMaxTreeLog2Elems) {
      walk_ = std::make_unique<AnnealingWalk>(*problem_, fresh->sequence, schedule, seed_);
      return;
    }
  }
  walk_ = std::make_unique<AnnealingWalk>(*problem_, best.sequence, schedule, seed_);
}

bool OrderLane::advance(uint64_t steps, const EliminationOrder &best, const SearchStop &stop) {
  found_.reset();
  double limit = best.cost;
  for (const uint64_t end = steps_ + steps; steps_ < end;) {
    if (stop.now())
      return false;
    const uint64_t before = walk_ ? walk_->tree().steps() : 0; // building the tree counts as well
    if (!walk_)
      beginCycle(best, stop);
    const bool more = walk_->sweep();
    steps_ += walk_->tree().steps() - before + 1;
    const EliminationTree &tree = walk_->tree();
    if (tree.cost() < limit * kCheaper) {
      limit = tree.cost();
      found_.emplace();
      found_->sequence = tree.sequence();
      found_->cost = tree.cost();
      found_->log2Largest = std::log2(tree.largestMessageElems());
    }
    if (!more)
      walk_.reset();
  }
  return true;
}

} // namespace mpf
