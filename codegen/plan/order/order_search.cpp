#include "codegen/plan/order/order_search.h"

#include "codegen/plan/order/order_dissection.h"
#include "codegen/plan/order/order_greedy.h"
#include "codegen/plan/order/order_portfolio.h"
#include "codegen/plan/order/order_sequence.h"
#include "codegen/plan/order/order_sweep.h"
#include "codegen/plan/order/parallel_tasks.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mpf {

namespace {

/// Graph steps before which the first run is not interrupted, about 0.1 s.
constexpr uint64_t kUntruncatedSteps = uint64_t{1} << 24;
/// Copying a vertex with its adjacency, in graph steps.
constexpr uint64_t kStepsPerCopiedVertex = 20;
/// Bounds of the steps of a round, which grow from the first to the last. So short searches have
/// many rounds, and a round cut off by the clock loses at most some 10 ms.
constexpr uint64_t kFirstThreadSteps = uint64_t{1} << 14, kLastThreadSteps = uint64_t{1} << 20;
/// Annealing threads together hold at most this many vertices of trees, 0.3 KiB each.
constexpr size_t kMostThreadVertices = 1'000'000;
/// Restarts of a component with given orders end after this many rounds in a row without a cheaper
/// order.
constexpr uint64_t kMaxVainRestarts = 64;
/// Rounds of a component without fill-in (a tree, chain or clique). It has no order of smaller
/// width, at best one of cheaper buckets.
constexpr uint64_t kPerfectRounds = 8;
/// Rounds of restarts of a component all of whose known orders are hopeless.
constexpr uint64_t kHopelessRounds = 2;

/// Whether no other order is allowed: each variable has to wait for the one before.
bool isGiven(const EliminationOrder &order, const OrderProblem &problem) {
  if (!problem.constrained || order.hopeless)
    return false;
  for (size_t i = 1; i < order.sequence.size(); ++i) {
    const std::vector<Vertex> &later = problem.later[order.sequence[i - 1]];
    if (std::find(later.begin(), later.end(), order.sequence[i]) == later.end())
      return false;
  }
  return true;
}

GreedyRule firstRule(const PlanOptions &options) {
  const bool fill = options.order == OrderMethod::Auto || options.order == OrderMethod::MinFill;
  return {fill ? GreedyScore::Fill : GreedyScore::Weight, 0, options.seed};
}

} // namespace

OrderSearch::OrderSearch(const OrderProblem &problem, const PlanOptions &options,
                         const SearchStop &stop)
    : problem_(&problem), options_(&options),
      graph_(problem.extents, problem.cliques,
             options.order == OrderMethod::Sweep ? FillCount::None : FillCount::Edges) {
  constexpr double kAnyCost = std::numeric_limits<double>::infinity();
  std::optional<EliminationOrder> order;
  uint64_t greedySteps = 0, sweepSteps = 0;
  if (options.order != OrderMethod::Sweep || problem.constrained) {
    const bool waits = options.order != OrderMethod::Auto || problem.constrained;
    order = greedyOrder(problem, graph_, firstRule(options), kAnyCost, &greedySteps,
                        waits ? nullptr : &stop, kUntruncatedSteps);
    truncated_ = !order;
  }
  if (!order)
    order = sweepOrder(problem, graph_, kAnyCost, &sweepSteps);
  MPF_CHECK(order, "no elimination order for {} variables", problem.variables.size());
  steps_ = greedySteps + sweepSteps + kStepsPerCopiedVertex * problem.variables.size();
  perfect_ = order->perfect;
  finished_ = options.order != OrderMethod::Auto || isGiven(*order, problem);
  best_.smallest = best_.fastest = *order;
  best_.cheapest = std::move(*order);
  improvements_.push_back(improvement(0));
  if (finished_)
    graph_ = InteractionGraph({}, {}, FillCount::None);
}

bool OrderSearch::fits() const {
  return !best_.smallest.hopeless &&
         best_.smallest.log2Largest <= std::log2(problem_->maxMessageElems);
}

void OrderSearch::startFrom(const std::vector<Vertex> &sequence) {
  if (finished_)
    return;
  uint64_t steps = 0;
  std::optional<EliminationOrder> order =
      orderFromSequence(*problem_, graph_, sequence, best_.cheapest.cost, &steps);
  steps_ += steps + kStepsPerCopiedVertex * problem_->variables.size();
  if (order)
    take(std::move(*order));
  improvements_ = {improvement(0)};
}

void OrderSearch::take(EliminationOrder order) {
  const EliminationOrder &smallest = best_.smallest;
  // An order that was given up may have larger messages still to come than it has had so far.
  if (order.hopeless == smallest.hopeless ? order.log2Largest < smallest.log2Largest
                                          : smallest.hopeless)
    best_.smallest = order;
  if (order.cost < best_.cheapest.cost * kCheaper) {
    best_.cheapest = order;
    vainRounds_ = 0;
    if (!(best_.fastest.joinedUs < order.joinedUs * kCheaper) ||
        !mayBeFastest(best_.fastest.cost, order))
      best_.fastest = order;
  }
  if (order.joinedUs < best_.fastest.joinedUs * kCheaper &&
      mayBeFastest(order.cost, best_.cheapest))
    best_.fastest = std::move(order);
}

/// The cheapest order now, as an improvement that was found within `steps` steps.
OrderSearch::Improvement OrderSearch::improvement(uint64_t steps) const {
  return {steps, best_.cheapest.runUs, best_.cheapest.work};
}

const OrderSearch::Improvement &OrderSearch::bestAfter(uint64_t steps) const {
  const auto later = std::upper_bound(improvements_.begin(), improvements_.end(), steps,
                                      [](uint64_t s, const Improvement &i) { return s < i.steps; });
  MPF_CHECK(later != improvements_.begin(), "no order is known after {} steps", steps);
  return *std::prev(later);
}

SearchAccount OrderSearch::account(const RunCosts &costs) const {
  const double runUs = improvement(steps_).runUsBy(costs);
  return {costs.searchUs(static_cast<double>(steps_)), costs.expectedRuns * runUs,
          costs.expectedRuns * (bestAfter(steps_ / 2).runUsBy(costs) - runUs)};
}

bool OrderSearch::round(unsigned threads, const SearchStop &stop) {
  ++vainRounds_;
  bool done = false;
  if (rounds_ == 0)
    done = opening(threads, stop);
  else if (problem_->constrained || best_.cheapest.hopeless ||
           best_.cheapest.log2Largest >= kMaxTreeLog2Elems)
    done = restarts(threads, stop);
  else
    done = advanceThreads(threads, stop);
  ++rounds_;
  if (best_.cheapest.runUs < improvements_.back().runUs)
    improvements_.push_back(improvement(steps_));
  finished_ |= !done || (perfect_ && rounds_ >= kPerfectRounds) ||
               (problem_->constrained && vainRounds_ >= kMaxVainRestarts) ||
               (best_.cheapest.hopeless && rounds_ > kHopelessRounds);
  return done;
}

bool OrderSearch::takeAll(std::vector<TaskResult> &results, const SearchStop &stop) {
  if (stop.now())
    return false;
  for (TaskResult &result : results) {
    steps_ += result.steps + kStepsPerCopiedVertex * problem_->variables.size();
    if (result.order)
      take(std::move(*result.order));
  }
  return true;
}

bool OrderSearch::opening(unsigned threads, const SearchStop &stop) {
  weighted_.emplace(problem_->extents, problem_->cliques, FillCount::Weighted);
  const auto strategies = openingStrategies();
  std::vector<TaskResult> results(strategies.size());
  const double limit = best_.cheapest.cost;
  runParallel(strategies.size(), threads, [&](size_t i) {
    const OpeningStrategy &strategy = strategies[i];
    TaskResult &result = results[i];
    if (problem_->constrained && strategy.kind != OpeningKind::Greedy)
      return;
    if (strategy.kind == OpeningKind::Greedy) {
      result.order =
          greedyOrder(*problem_, strategy.fill == FillCount::Weighted ? *weighted_ : graph_,
                      {strategy.score, 0, options_->seed}, limit, &result.steps, &stop);
    } else if (strategy.kind == OpeningKind::Sweep) {
      result.order = sweepOrder(*problem_, graph_, limit, &result.steps, &stop);
    } else {
      const std::vector<Vertex> sequence = dissectionSequence(graph_, options_->seed);
      if (!sequence.empty())
        result.order = orderFromSequence(*problem_, graph_, sequence, limit, &result.steps, &stop);
    }
  });
  return takeAll(results, stop);
}

uint64_t OrderSearch::threadSteps() const {
  return std::min(kFirstThreadSteps << std::min<uint64_t>(rounds_ / 4, 20), kLastThreadSteps);
}

void OrderSearch::makeThreads() {
  MPF_CHECK(weighted_, "annealing threads in round {}, before the opening", rounds_);
  const auto strategies = threadStrategies();
  const size_t most = kMostThreadVertices / std::max<size_t>(1, problem_->variables.size());
  const size_t count = std::clamp<size_t>(most, 1, strategies.size());
  for (size_t i = 0; i < count; ++i)
    orderThreads_.emplace_back(*problem_, graph_, *weighted_, strategies[i],
                               (options_->seed * strategies.size() + i) << 32);
}

bool OrderSearch::advanceThreads(unsigned threads, const SearchStop &stop) {
  if (orderThreads_.empty())
    makeThreads();
  const uint64_t before = steps_;
  uint64_t earlier = 0;
  for (const OrderThread &orderThread : orderThreads_)
    earlier += orderThread.steps();
  std::vector<char> done(orderThreads_.size(), 0);
  runParallel(orderThreads_.size(), threads,
              [&](size_t i) { done[i] = orderThreads_[i].advance(threadSteps(), best_, stop); });
  if (std::find(done.begin(), done.end(), char{0}) != done.end())
    return false;
  steps_ = before - earlier;
  for (const OrderThread &orderThread : orderThreads_) {
    steps_ += orderThread.steps();
    for (const auto *found : {&orderThread.cheapest(), &orderThread.fastest()})
      if (*found)
        take(**found);
  }
  return true;
}

bool OrderSearch::restarts(unsigned threads, const SearchStop &stop) {
  MPF_CHECK(weighted_, "restarts in round {}, before the opening", rounds_);
  const auto strategies = restartStrategies();
  std::vector<TaskResult> results(strategies.size());
  const double limit = best_.cheapest.cost;
  runParallel(strategies.size(), threads, [&](size_t i) {
    const RestartStrategy &strategy = strategies[i];
    const GreedyRule rule{strategy.score, strategy.noise1024,
                          options_->seed + rounds_ * strategies.size() + i};
    results[i].order =
        greedyOrder(*problem_, strategy.fill == FillCount::Weighted ? *weighted_ : graph_, rule,
                    limit, &results[i].steps, &stop);
  });
  return takeAll(results, stop);
}

} // namespace mpf
