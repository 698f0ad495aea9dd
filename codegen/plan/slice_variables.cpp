#include "codegen/plan/slice_variables.h"

#include "codegen/plan/slice_copies.h"
#include "codegen/plan/slice_levels.h"
#include "codegen/plan/slice_starts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace mpf {

namespace {

/// Starts that are sliced to the end, and plans that are made on the way.
constexpr size_t kMostStarts = 4;
constexpr size_t kMostTrials = 48;
/// Binary orders by which the bound on buckets is lowered when their sum is still too much.
constexpr double kLeastStep = 0.25, kMostStep = 2;
/// Searches for other orders of the rest, each a share of one without a bound.
constexpr size_t kOrderSearches = 4;
constexpr uint64_t kOrderShare = 16, kReorderShare = 64;
/// All reorderings together: this part of the steps of one without a bound.
constexpr uint64_t kReorderings = 4;
/// Elementary steps that all estimates together may take; then no more variables are looked for.
constexpr double kEstimateSteps = 1e8;
/// When the time is up, the first variables are looked for until so many are left.
constexpr double kLeastSteps = kEstimateSteps * 31 / 32;
constexpr size_t kMostCandidates = 64;
/// A run is not made longer than this by slices: a day of one core, minutes of a GPU.
constexpr double kMostLog2Work = 46;
/// Nor by more than the first of these; one that is longer already, by the second.
constexpr double kMostLog2Factor = 16, kMostLog2LongFactor = 6;
constexpr double kMostLog2Slices = 34;
/// Buckets beyond this are not worth a search: no number of slices makes them small.
constexpr double kHopelessLog2 = 64;

std::vector<VarId> without(std::vector<VarId> list, VarId gone) {
  std::erase(list, gone);
  return list;
}

/// `initial` as if `sliced` were observed: what the order search sees.
TableProgram conditioned(const TableProgram &initial, const std::vector<VarId> &sliced) {
  TableProgram rest = initial;
  const auto isSliced = [&sliced](VarId id) {
    return std::find(sliced.begin(), sliced.end(), id) != sliced.end();
  };
  std::erase_if(rest.order, isSliced);
  for (ProgramTable &table : rest.tables)
    std::erase_if(table.scope, isSliced);
  for (Operation &operation : rest.operations)
    std::erase_if(operation.reduced, isSliced);
  return rest;
}

/// An order with the variables sliced so far.
struct Draft {
  std::vector<VarId> order; ///< of all variables that are not sliced
  SliceEstimate estimate;
  double log2BoundElems = 0; ///< that its buckets are held to

  double excess() const { return estimate.excess(log2BoundElems); }
  /// Should every further slice make all buckets run once more, the work to expect.
  double log2LeastWork() const {
    return estimate.log2Work + std::max({0.0, estimate.log2LargestLocalElems - log2BoundElems,
                                         estimate.log2HeldElems - log2BoundElems});
  }
};

/// What a search for another order of the rest begins with; None: there is none. Either finds what
/// the other one misses.
enum class Reordering { None, Fresh, Known };

class Search {
public:
  Search(const Model &model, const TableProgram &initial, const std::vector<OrderChoice> &start,
         const PlanOptions &options, uint64_t inputBytes, const SliceTrial &trial)
      : model_(model), initial_(initial), start_(start), options_(options), trial_(trial),
        stop_(untimed(options.search)), inputBytes_(static_cast<double>(inputBytes)),
        outputScope_(initial.table(initial.operations.front().result).scope),
        reorderSteps_(options.searchSteps / kReorderings) {
    const uint64_t bound = options.maxMemoryBytes;
    // Below the inputs nothing helps: then as small as is worth reporting.
    targetBytes_ = static_cast<double>(
        bound > inputBytes ? bound - inputBytes : std::max<uint64_t>(4096, inputBytes / 16));
    leastStep_ = bound > inputBytes ? kLeastStep : kMostStep;
    log2BoundElems_ = std::log2(targetBytes_ / elementBytes(options.type));
    const SliceEstimate whole = estimateSlices(initial, start.front().order, {});
    isHopeless_ = whole.log2LargestLocalElems > kHopelessLog2;
    log2WorkBefore_ = whole.log2Work;
    log2MostWork_ = std::max(std::min(kMostLog2Work, log2WorkBefore_ + kMostLog2Factor),
                             log2WorkBefore_ + kMostLog2LongFactor);
  }

  SliceSearch run() {
    if (isHopeless_)
      return {};
    const std::vector<std::vector<VarId>> starts = bestStarts();
    for (const Reordering start : {Reordering::None, Reordering::Fresh, Reordering::Known})
      for (const std::vector<VarId> &order : starts)
        if (trials_ == 0 || !isOver())
          fit({order, estimateSlices(initial_, order, {}), log2BoundElems_}, start);
    for (size_t i = 0, vain = 0; i < kOrderSearches && vain < 2 && !isOver(); ++i)
      vain = searchOrder(i % 2 == 0 ? Reordering::Known : Reordering::Fresh) ? 0 : vain + 1;
    if (best_ && !isOver())
      takeBack();
    const SliceEstimate &estimate = best_ ? best_->estimate : last_.estimate;
    return {best_.has_value(), std::exp2(estimate.log2Slices),
            std::exp2(estimate.log2Work - log2WorkBefore_), estimate.sliced, stopped_};
  }

private:
  /// The deadline that was set when the time began, not a new time.
  static SearchLimits untimed(SearchLimits limits) {
    limits.seconds.reset();
    return limits;
  }
  /// The time is up.
  bool isOver() {
    stopped_ |= stop_.now();
    return stopped_;
  }

  uint64_t tryPlan(const std::vector<VarId> &order, const std::vector<VarId> &sliced) {
    OrderChoice choice;
    choice.order = sliced;
    choice.order.insert(choice.order.end(), order.begin(), order.end());
    choice.slicedCount = sliced.size();
    ++trials_;
    return trial_(choice);
  }

  /// What an order costs without slices says little about what it costs with them: every start is
  /// sliced to half the bound, and those with least work then are taken.
  std::vector<std::vector<VarId>> bestStarts() {
    std::vector<Draft> drafts;
    std::vector<std::vector<VarId>> starts =
        sliceStarts(initial_, start_, log2BoundElems_ - 1, !model_.orders.empty());
    const auto goesOn = [this] { return stepsLeft_ > kEstimateSteps / 2 && !stop_.now(); };
    for (size_t i = 0; i < starts.size() && (i == 0 || goesOn()); ++i) {
      drafts.push_back({starts[i], estimateSlices(initial_, starts[i], {}), log2BoundElems_ - 1});
      while (drafts.back().excess() > 0 && addVariable(drafts.back()))
        ;
    }
    std::vector<size_t> places(drafts.size());
    std::iota(places.begin(), places.end(), size_t{0});
    std::stable_sort(places.begin(), places.end(), [&drafts](size_t a, size_t b) {
      const double excessA = drafts[a].excess(), excessB = drafts[b].excess();
      return excessA != excessB ? excessA < excessB
                                : drafts[a].estimate.log2Work < drafts[b].estimate.log2Work;
    });
    std::vector<std::vector<VarId>> taken;
    for (size_t i = 0; i < places.size() && i < kMostStarts; ++i)
      taken.push_back(std::move(starts[places[i]]));
    return taken;
  }

  /// Slices until the plan is within the bound, then it is the best one; gives up when it has more
  /// work than that.
  void fit(Draft draft, Reordering start = Reordering::None) {
    while (trials_ < kMostTrials && (trials_ == 0 || !isOver())) {
      while (draft.excess() > 0) {
        if (!addVariable(draft))
          return giveUp(draft);
        if (start != Reordering::None && draft.excess() > 0 && reorderSteps_ > 0 && !isOver())
          reorder(draft, start);
      }
      if (best_ && draft.estimate.log2Work >= best_->estimate.log2Work)
        return;
      const uint64_t peak = tryPlan(draft.order, draft.estimate.sliced);
      last_ = draft;
      if (peak <= options_.maxMemoryBytes) {
        best_ = std::move(draft);
        return;
      }
      // More is alive together than in one bucket: their bound is.
      const double excess =
          std::log2(std::max(1.0, static_cast<double>(peak) - inputBytes_) / targetBytes_);
      do
        draft.log2BoundElems -= std::clamp(excess / 2, leastStep_, kMostStep);
      while (draft.log2BoundElems > 0 && draft.excess() == 0);
      if (draft.log2BoundElems <= 0)
        return;
    }
  }

  /// For the smallest peak; it may be within the bound, which the estimate does not know.
  void giveUp(const Draft &draft) {
    if (!best_ && !draft.estimate.sliced.empty() &&
        tryPlan(draft.order, draft.estimate.sliced) <= options_.maxMemoryBytes)
      best_ = draft;
    last_ = draft;
  }

  /// Candidates come from the bucket furthest above the bound. Output variables only when nothing
  /// else is there: they cost the result a second time.
  std::vector<VarId> candidates(const Draft &draft) {
    std::vector<VarId> list = candidatesFrom(draft, false);
    const bool outputs = allowsSlicedOutputs(initial_.operations.front().semiring);
    return list.empty() && outputs ? candidatesFrom(draft, true) : list;
  }

  std::vector<VarId> candidatesFrom(const Draft &draft, bool outputs) {
    const BucketEstimate *worst = nullptr;
    double steps = 1;
    for (const BucketEstimate &bucket : draft.estimate.buckets) {
      steps += static_cast<double>(bucket.scope.size()) + 4;
      if (worst == nullptr || bucket.log2LocalElems > worst->log2LocalElems)
        worst = &bucket;
    }
    std::vector<VarId> list;
    if (worst == nullptr)
      return list;
    const auto most = static_cast<size_t>(
        std::clamp(stepsLeft_ / 16 / steps, 1.0, static_cast<double>(kMostCandidates)));
    for (const VarId id : worst->scope)
      if (list.size() < most && isOutput(id) == outputs && !copyIsTooLarge(id))
        list.push_back(id);
    stepsLeft_ = std::max(0.0, stepsLeft_ - steps * static_cast<double>(list.size()));
    return list;
  }

  /// Its identity table (slice_copies.h) would take a quarter of what there is.
  bool copyIsTooLarge(VarId id) const {
    const double log2Extent = std::log2(initial_.variables[id.index()].extent);
    return (initial_.kind == QueryKind::Marginals || isOutput(id)) &&
           2 * log2Extent > log2BoundElems_ - 2;
  }

  bool isOutput(VarId id) const {
    return std::find(outputScope_.begin(), outputScope_.end(), id) != outputScope_.end();
  }

  bool addVariable(Draft &draft) {
    if (draft.estimate.sliced.size() == kMaxLoops || stepsLeft_ <= (isOver() ? kLeastSteps : 0))
      return false;
    const double excess = draft.excess();
    double bestScore = std::numeric_limits<double>::infinity();
    std::optional<SliceEstimate> best;
    VarId chosen;
    for (const VarId id : candidates(draft)) {
      std::vector<VarId> sliced = draft.estimate.sliced;
      sliced.push_back(id);
      SliceEstimate estimate = estimateSlices(initial_, without(draft.order, id), sliced);
      const double gain = excess - estimate.excess(draft.log2BoundElems);
      // A little for the loop itself: of two free variables the one that gains more.
      const double price = std::max(0.0, estimate.log2Work - draft.estimate.log2Work) + 0.01;
      if (gain <= 0 || estimate.log2Work > log2MostWork_ || estimate.log2Slices > kMostLog2Slices ||
          price / gain >= bestScore)
        continue;
      bestScore = price / gain;
      best = std::move(estimate);
      chosen = id;
    }
    if (!best)
      return false;
    draft.estimate = std::move(*best);
    draft.order = without(std::move(draft.order), chosen);
    return true;
  }

  /// The rest of a draft in other orders, found by a share of the first search's steps.
  std::vector<Draft> otherOrders(const Draft &draft, uint64_t share, Reordering start) {
    PlanOptions options = options_;
    options.searchSteps /= share;
    // The bound of messages, not of everything: those of one bucket are an operand and a result.
    options.maxMemoryBytes = static_cast<uint64_t>(
        std::max(1.0, std::exp2(draft.log2BoundElems - 1) * elementBytes(options.type)));
    // By default steps alone, however the first search ended: its rounds repeat the whole plan.
    options.search.seconds.reset();
    options.search.rounds.reset();
    Diagnostics unheard; // a given order was judged before
    const OrderChoices found =
        chooseOrders(model_, conditioned(initial_, draft.estimate.sliced), options, unheard,
                     start == Reordering::Known ? &draft.order : nullptr);
    stopped_ |= found.effort.stopped;
    orderSteps_ += found.effort.steps;
    std::vector<Draft> drafts;
    for (const OrderChoice &choice : found.choices)
      if (choice.order.size() == draft.order.size()) // one that was given up leaves variables out
        drafts.push_back({choice.order,
                          estimateSlices(initial_, choice.order, draft.estimate.sliced),
                          draft.log2BoundElems});
    return drafts;
  }

  /// Between two variables (Gray and Kourtis 2021, section 4.4): an order that was good before is
  /// rarely the best one for what conditioning left.
  void reorder(Draft &draft, Reordering start) {
    const uint64_t before = orderSteps_;
    for (Draft &other : otherOrders(draft, kReorderShare, start))
      if (other.log2LeastWork() < draft.log2LeastWork())
        draft = std::move(other);
    reorderSteps_ -= std::min(reorderSteps_, orderSteps_ - before);
  }

  /// Orders the rest anew; false when that did not help.
  bool searchOrder(Reordering start) {
    const Draft before = best_ ? *best_ : last_;
    const bool wasThere = best_.has_value();
    const double work = before.estimate.log2Work;
    for (Draft &other : otherOrders(before, kOrderShare, start))
      fit(std::move(other));
    return best_ && (!wasThere || best_->estimate.log2Work < work);
  }

  /// Innermost first. What saves no work, or no longer fits, stays sliced.
  void takeBack() {
    for (size_t i = best_->estimate.sliced.size(); i-- > 0 && best_->estimate.sliced.size() > 1;) {
      const VarId id = best_->estimate.sliced[i];
      if (isOutput(id))
        continue;
      // It is eliminated last, beside the other variables that are most significant.
      std::vector<VarId> order = best_->order;
      const auto held = std::count_if(order.begin(), order.end(),
                                      [this](VarId other) { return isOutput(other); });
      order.insert(order.begin() + held, id);
      SliceEstimate estimate = estimateSlices(initial_, order, without(best_->estimate.sliced, id));
      if (estimate.log2Work >= best_->estimate.log2Work ||
          tryPlan(order, estimate.sliced) > options_.maxMemoryBytes)
        continue;
      best_->estimate = std::move(estimate);
      best_->order = std::move(order);
      i = std::min(i, best_->estimate.sliced.size());
    }
  }

  const Model &model_;
  const TableProgram &initial_;
  const std::vector<OrderChoice> &start_; ///< without slices
  const PlanOptions &options_;
  const SliceTrial &trial_;
  const SearchStop stop_;
  const double inputBytes_;
  const std::vector<VarId> outputScope_;
  double targetBytes_ = 0;    ///< for everything but the inputs
  double log2BoundElems_ = 0; ///< entries that the messages of one bucket may have, at first
  double leastStep_ = 0;      ///< by which that is lowered
  double log2WorkBefore_ = 0, log2MostWork_ = 0;
  bool isHopeless_ = false;
  double stepsLeft_ = kEstimateSteps;
  uint64_t reorderSteps_;   ///< left for all reorderings together
  uint64_t orderSteps_ = 0; ///< of all searches for orders so far
  size_t trials_ = 0;
  std::optional<Draft> best_; ///< within the bound; the last plan that the trial accepted
  Draft last_;                ///< that was tried
  bool stopped_ = false;      ///< a search for orders
};

} // namespace

SliceSearch searchSlices(const Model &model, const TableProgram &initial,
                         const std::vector<OrderChoice> &start, const PlanOptions &options,
                         uint64_t inputBytes, const SliceTrial &trial) {
  return Search(model, initial, start, options, inputBytes, trial).run();
}

} // namespace mpf
