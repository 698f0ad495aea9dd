#include "codegen/plan/slicing/slice_variables.h"

#include "codegen/plan/slicing/slice_draft.h"
#include "codegen/plan/slicing/slice_estimator.h"
#include "codegen/plan/slicing/slice_fit.h"
#include "codegen/plan/slicing/slice_rest.h"
#include "codegen/plan/slicing/slice_starts.h"
#include "dsl/support/check.h"
#include "dsl/support/split_mix.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace mpf {

namespace {

/// The most starts that are sliced to the end, and the most of those that are also ordered anew.
constexpr size_t kMostStarts = 4, kMostReordered = 2;
/// The number of searches for other orders of the rest, and divisors of their steps. Each takes the
/// steps of a search without a bound, divided by its divisor.
constexpr size_t kOrderSearches = 2;
constexpr uint64_t kOrderDivisor = 16, kReorderDivisor = 256, kExchangeDivisor = 64;
/// All reorderings of the starts together take this fraction (1 / kReorderings) of the steps of a
/// search without a bound.
constexpr uint64_t kReorderings = 8;
/// Limits of exchanges: the most programs made, the most in a row in vain, the most variables put
/// back. Every kAgain-th exchange begins without sliced variables.
constexpr size_t kExchangeTrials = 64, kMostVain = 24, kMostPutBack = 3, kAgain = 4;
/// Steps for exchanges: kExchangeSteps for each variable and binary order of work that slices add,
/// up to kMostExchangeSteps. They may always take the share kExchangeOfRun of the predicted run.
constexpr double kExchangeSteps = 1e5, kMostExchangeSteps = 1.5e8, kExchangeOfRun = 1.0 / 8;
/// Binary orders by which the bound of an exchange exceeds that of the best draft.
constexpr double kEased[] = {0, 0.15, 0.3};
/// An exchange that leaves more than this share of the work counts as one in vain.
constexpr double kBetter = 0.99;
/// Estimates take at most this share of the addresses of the first order's plan without a bound.
/// That is about a tenth of what a core computes in the same time. The least is kSliceSteps, the
/// most so many times that. With too few steps, the search of a large network ends while its starts
/// are compared, and slices variables that it has not chosen.
constexpr double kStepsOfWork = 1.0 / 640, kMostStepsFactor = 40;
/// When the time is up, starts are still compared until so many steps were taken, about 15 ms.
constexpr double kFirstSteps = kSliceSteps / 64;
/// The longest run (log2 of addresses) that slices may lead to: a day of one core, minutes of a
/// GPU.
constexpr double kMostLog2Work = 46;
/// The most binary orders that slices add to a run, and the most for a run that is longer than
/// kMostLog2Work already.
constexpr double kMostLog2Factor = 16, kMostLog2LongFactor = 6;
/// Largest bucket (log2) that is worth a search: no number of slices makes larger ones small.
constexpr double kHopelessLog2 = 64;
/// Marginals: binary orders by which all messages together may exceed the bound.
constexpr double kHeldSlacks[] = {0, 3, std::numeric_limits<double>::infinity()};

/// The differences of drafts that begin with one order.
struct SliceShape {
  double heldSlack = 0;
  LoopEnds ends = LoopEnds::Last;
};

/// Returns the searches to make, each with its shapes; the last shape of each asks for the fewest
/// slices. Marginals get two searches, because a local search does not find its way from loops that
/// end at once to loops that end last, nor back.
std::vector<std::vector<SliceShape>> searchesOf(const QueryTraits &traits, bool recomputes) {
  if (traits.decoding)
    return {{{}}};
  if (!traits.goesDownward)
    return {{{0, LoopEnds::AtOnce}, {0, LoopEnds::WhenSmall}, {0, LoopEnds::Last}}};
  std::vector<std::vector<SliceShape>> searches;
  for (const LoopEnds ends : {LoopEnds::Last, LoopEnds::AtOnce}) {
    searches.emplace_back();
    for (const double slack : std::span(kHeldSlacks).first(recomputes ? std::size(kHeldSlacks) : 1))
      searches.back().push_back({slack, ends});
  }
  return searches;
}

class Search {
public:
  Search(const SliceProblem &problem, std::vector<SliceShape> shapes)
      : model_(problem.model), initial_(problem.initial), task_(problem.task),
        options_(problem.options),
        whole_(SliceEstimator(initial_, task_.leastAddresses)
                   .estimate(task_.orders.front().order, {}, LoopEnds::Last)),
        limits_(limitsOf(whole_, task_, options_)), slicer_(initial_, limits_),
        orders_(model_, initial_, options_, slicer_),
        fit_(problem, whole_.log2Work, slicer_, orders_), shapes_(std::move(shapes)) {}

  double bestAddresses() const { return fit_.bestAddresses(); }
  double spentUs() const { return fit_.spentUs(); }

  SliceSearch run() {
    if (whole_.log2LargestLocalElems > kHopelessLog2)
      return {};
    fitStarts(bestStarts());
    for (size_t i = 0, vain = 0; i < kOrderSearches && vain < 2 && mayGoOn(); ++i)
      vain = searchOrder(i % 2 == 0 ? Reordering::Known : Reordering::Fresh) ? 0 : vain + 1;
    if (fit_.best() && mayGoOn())
      fit_.removeUnneededSlices();
    exchange();
    const SliceEstimate &estimate = fit_.best() ? fit_.best()->estimate : fit_.last().estimate;
    return {fit_.best().has_value(), std::exp2(estimate.log2Slices), estimate.sliced,
            fit_.stopped()};
  }

private:
  bool mayGoOn() { return !fit_.isDone() && !fit_.isOver(); }

  struct Start {
    std::vector<VarId> order;
    SliceShape shape;
    double score = std::numeric_limits<double>::infinity(); ///< result of SliceFit::fit()
  };

  static SliceLimits limitsOf(const SliceEstimate &whole, const SliceTask &task,
                              const PlanOptions &options) {
    return {std::max(std::min(kMostLog2Work, whole.log2Work + kMostLog2Factor),
                     whole.log2Work + kMostLog2LongFactor),
            task.leastAddresses,
            std::log2(sliceTargetBytes(task, options) / elementBytes(options.type)),
            std::clamp(std::exp2(whole.log2Work) * kStepsOfWork, kSliceSteps,
                       kMostStepsFactor * kSliceSteps)};
  }

  SliceDraft draftOf(const Start &start) {
    return {start.order, slicer_.estimate(start.order, {}, LoopEnds::Last), limits_.log2BoundElems,
            start.shape.heldSlack, start.shape.ends};
  }

  /// Returns the starts with the least work after every start is sliced to half the bound: the cost
  /// of an order without slices says little about its cost with them. If there is a deadline, this
  /// is first done in few steps, so that there is a result before the time is up.
  std::vector<Start> bestStarts() {
    const std::vector<std::vector<VarId>> orders =
        sliceStarts(initial_, task_.orders, limits_.log2BoundElems - 1, !model_.orders.empty());
    std::vector<size_t> places;
    if (options_.search.deadline != std::chrono::steady_clock::time_point::max()) {
      DraftSlicer few(initial_, limits_);
      places = cheapestStarts(orders, few, few.mostSteps());
    }
    if (!fit_.isOver())
      if (std::vector<size_t> better = cheapestStarts(orders, slicer_, 0);
          places.empty() || !fit_.isOver())
        places = std::move(better);
    std::vector<Start> taken;
    for (size_t i = 0; i < places.size() && i < kMostStarts; ++i)
      for (const SliceShape &shape : shapes_)
        taken.push_back({orders[places[i]], shape});
    if (fit_.isOver()) // shapes that ask for few slices first
      std::stable_sort(taken.begin(), taken.end(), [](const Start &a, const Start &b) {
        return a.shape.heldSlack > b.shape.heldSlack;
      });
    return taken;
  }

  /// Returns places in `orders`, the cheapest first. Among orders with equal estimates (by
  /// symmetry) only one is taken. `leastSteps`: as in DraftSlicer::addVariable.
  std::vector<size_t> cheapestStarts(const std::vector<std::vector<VarId>> &orders,
                                     DraftSlicer &steps, double leastSteps) {
    MPF_CHECK(!shapes_.empty() && !orders.empty(), "{} shapes of {} orders", shapes_.size(),
              orders.size());
    const SliceShape least{shapes_.back().heldSlack, LoopEnds::Last};
    std::vector<SliceDraft> drafts;
    const auto goesOn = [&] {
      return steps.stepsLeft() > (leastSteps == 0 && fit_.isOver() ? steps.mostSteps() - kFirstSteps
                                                                   : steps.mostSteps() / 2);
    };
    for (size_t i = 0; i < orders.size(); ++i) {
      if (i > 0 && (!goesOn() || fit_.suffices(drafts.back())))
        break;
      drafts.push_back(draftOf({orders[i], least}));
      drafts.back().log2BoundElems -= 1;
      while (drafts.back().excessAlive() > 0 && steps.addVariable(drafts.back(), leastSteps))
        ;
    }
    std::vector<size_t> places(drafts.size());
    std::iota(places.begin(), places.end(), size_t{0});
    std::stable_sort(places.begin(), places.end(), [&drafts](size_t a, size_t b) {
      const double excessA = drafts[a].excessAlive(), excessB = drafts[b].excessAlive();
      return excessA != excessB ? excessA < excessB
                                : drafts[a].estimate.log2Work < drafts[b].estimate.log2Work;
    });
    const auto isTwin = [&drafts](size_t a, size_t b) {
      return drafts[a].excessAlive() == drafts[b].excessAlive() &&
             drafts[a].estimate.log2Work == drafts[b].estimate.log2Work;
    };
    places.erase(std::unique(places.begin(), places.end(), isTwin), places.end());
    MPF_CHECK(!places.empty(), "{} drafts of {} orders", drafts.size(), orders.size());
    return places;
  }

  /// Fits the starts as they are; then the best ones again, ordered anew after every variable.
  void fitStarts(std::vector<Start> starts) {
    Reorderings none;
    for (Start &start : starts)
      if (!fit_.isDone() && (fit_.mustGoOn() || !fit_.isOver()))
        start.score = fit_.fit(draftOf(start), none);
    std::stable_sort(starts.begin(), starts.end(),
                     [](const Start &a, const Start &b) { return a.score < b.score; });
    starts.resize(std::min(starts.size(), kMostReordered));
    for (const Start &start : starts)
      for (const Reordering mode : {Reordering::Fresh, Reordering::Known}) {
        Reorderings anew{mode, kReorderDivisor, 0, options_.searchSteps / kReorderings};
        if (mayGoOn())
          fit_.fit(draftOf(start), anew);
      }
  }

  /// Orders the remaining variables of the best draft anew; false when that did not help.
  bool searchOrder(Reordering mode) {
    const SliceDraft before = fit_.best() ? *fit_.best() : fit_.last();
    const double addresses = fit_.bestAddresses();
    Reorderings none;
    for (SliceDraft &other : orders_.find(before, mode, kOrderDivisor, 0))
      fit_.fit(std::move(other), none);
    return fit_.bestAddresses() < addresses;
  }

  /// Searches locally from the best draft: puts some or all of its variables back, orders the
  /// remaining variables anew, and slices others instead. It goes on while it finds better plans.
  /// It lasts longer, the more work the slices add and the longer the run is.
  void exchange() {
    fit_.allowTrials(kExchangeTrials);
    const uint64_t first = orders_.steps();
    const auto goesOn = [&] {
      const double most = std::clamp(std::log2(fit_.workFactor()) * kExchangeSteps *
                                         static_cast<double>(initial_.order.size()),
                                     0.0, kMostExchangeSteps);
      return static_cast<double>(orders_.steps() - first) <
             std::max(most, fit_.bestAddresses() * kExchangeOfRun);
    };
    uint64_t random = options_.seed;
    for (size_t round = 1, vain = 0; fit_.best() && vain < kMostVain && mayGoOn() && goesOn();
         ++round) {
      const double before = fit_.bestAddresses();
      const size_t again = round / kAgain;
      SliceDraft draft = round % kAgain == 0
                             ? draftOf({task_.orders[again % task_.orders.size()].order,
                                        shapes_[again % shapes_.size()]})
                             : partOfBest(1 + round % kMostPutBack, random);
      const double eased = kEased[round / kMostPutBack % std::size(kEased)];
      draft.log2BoundElems = std::min(limits_.log2BoundElems, fit_.best()->log2BoundElems + eased);
      Reorderings anew{round % 2 == 0 ? Reordering::Known : Reordering::Fresh, kExchangeDivisor,
                       round, options_.searchSteps / kReorderings};
      fit_.reorder(draft, anew);
      anew.divisor = kReorderDivisor;
      fit_.fit(std::move(draft), anew);
      const double after = fit_.bestAddresses();
      if (after < before)
        fit_.removeUnneededSlices();
      vain = after < before * kBetter ? 0 : vain + 1;
    }
  }

  /// Returns the best draft without some of its sliced variables.
  SliceDraft partOfBest(size_t without, uint64_t &random) {
    SliceDraft draft = *fit_.best();
    for (size_t i = 0; i < without && !draft.estimate.sliced.empty(); ++i) {
      const VarId id = draft.estimate.sliced[nextRandom(random) % draft.estimate.sliced.size()];
      if (!slicer_.isOutput(id))
        fit_.putBack(draft, id);
    }
    return draft;
  }

  const Model &model_;
  const TableProgram &initial_;
  const SliceTask &task_;
  const PlanOptions &options_;
  const SliceEstimate whole_; ///< estimate of the first order, without slices
  const SliceLimits limits_;
  DraftSlicer slicer_;
  RestOrders orders_;
  SliceFit fit_;
  const std::vector<SliceShape> shapes_;
};

} // namespace

SliceSearch searchSlices(const SliceProblem &problem) {
  MPF_CHECK(!problem.initial.tables.empty() && !problem.task.orders.empty(),
            "slices of {} tables in {} orders", problem.initial.tables.size(),
            problem.task.orders.size());
  SliceTask task = problem.task;
  SliceSearch found;
  bool stopped = false;
  for (std::vector<SliceShape> &shapes :
       searchesOf(traitsOf(problem.initial.kind), task.recomputes)) {
    if (task.knownAddresses <= task.wholeAddresses)
      break; // slices cost nothing
    Search search({problem.model, problem.initial, task, problem.options, problem.trial},
                  std::move(shapes));
    SliceSearch other = search.run();
    stopped |= other.stopped;
    task.spentUs = search.spentUs();
    if (other.fits ? search.bestAddresses() < task.knownAddresses : !found.fits)
      found = std::move(other);
    if (found.fits)
      task.knownAddresses = std::min(task.knownAddresses, search.bestAddresses());
  }
  found.stopped = stopped;
  return found;
}

} // namespace mpf
