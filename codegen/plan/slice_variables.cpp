#include "codegen/plan/slice_variables.h"

#include "codegen/plan/slice_draft.h"
#include "codegen/plan/slice_starts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace mpf {

namespace {

/// Starts that are sliced to the end, and plans that are made on the way.
constexpr size_t kMostStarts = 4;
constexpr size_t kMostTrials = 64, kMostTrialsOfFit = 10, kLeastTrials = 3;
/// Tables of all programs that are tried, so that large models are not planned for minutes.
constexpr size_t kMostTables = 1'000'000;
/// One that computes messages again takes so many times as long.
constexpr size_t kRecomputeTrials = 8;
/// Of those, in how many the rest is ordered anew between two variables.
constexpr size_t kMostReordered = 4;
/// Binary orders by which the bound on buckets is lowered when their sum is still too much.
constexpr double kLeastStep = 0.25, kMostStep = 2;
/// Searches for other orders of the rest, each a share of one without a bound.
constexpr size_t kOrderSearches = 4;
constexpr uint64_t kOrderShare = 16, kReorderShare = 256;
/// All reorderings together: this part of the steps of one without a bound.
constexpr uint64_t kReorderings = 4;
/// When the time is up, the first variables are looked for until so many steps are left.
constexpr double kLeastSteps = kSliceSteps * 31 / 32;
/// And starts are compared until so many are left, about 15 ms.
constexpr double kFirstSteps = kSliceSteps * 63 / 64;
/// A run is not made longer than this by slices: a day of one core, minutes of a GPU.
constexpr double kMostLog2Work = 46;
/// Nor by more than the first of these; one that is longer already, by the second.
constexpr double kMostLog2Factor = 16, kMostLog2LongFactor = 6;
/// Buckets beyond this are not worth a search: no number of slices makes them small.
constexpr double kHopelessLog2 = 64;
/// A draft that the estimate has so much above the best program, in binary orders, is not tried.
constexpr double kEstimateError = 0.2;
/// Marginals: binary orders by which all messages together may be above the bound.
constexpr double kHeldSlacks[] = {0, 3, std::numeric_limits<double>::infinity()};

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

/// What a search for another order of the rest begins with; None: there is none. Either finds what
/// the other one misses.
enum class Reordering { None, Fresh, Known };

class Search {
public:
  Search(const Model &model, const TableProgram &initial, const SliceTask &task,
         const PlanOptions &options, const SliceTrial &trial)
      : model_(model), initial_(initial), task_(task), options_(options), trial_(trial),
        stop_(untimed(options.search)),
        whole_(SliceEstimator(initial).estimate(task.orders.front().order, {})),
        limits_(limitsOf(whole_, task, options)), slicer_(initial, limits_),
        heldSlacks_(std::span(kHeldSlacks).first(task.recomputes ? std::size(kHeldSlacks) : 1)),
        log2PerAddress_(std::log2(task.wholeAddresses) - whole_.log2Work),
        reorderSteps_(options.searchSteps / kReorderings),
        mostTrials_(std::clamp(kMostTables / initial.tables.size() /
                                   (task.recomputes ? kRecomputeTrials : 1),
                               kLeastTrials, kMostTrials)) {}

  SliceSearch run() {
    if (whole_.log2LargestLocalElems > kHopelessLog2)
      return {};
    std::vector<Start> starts = bestStarts();
    for (Start &start : starts)
      if (mustGoOn() || !isOver())
        start.score = fit(draftOf(start), Reordering::None);
    std::stable_sort(starts.begin(), starts.end(),
                     [](const Start &a, const Start &b) { return a.score < b.score; });
    starts.resize(std::min(starts.size(), kMostReordered));
    for (const Start &start : starts)
      for (const Reordering mode : {Reordering::Fresh, Reordering::Known}) {
        reorderStepsOfFit_ = reorderSteps_ / 2; // the most promising goes deepest
        if (!isOver())
          fit(draftOf(start), mode);
      }
    for (size_t i = 0, vain = 0; i < kOrderSearches && vain < 2 && !isOver(); ++i)
      vain = searchOrder(i % 2 == 0 ? Reordering::Known : Reordering::Fresh) ? 0 : vain + 1;
    if (best_ && !isOver())
      takeBack();
    const SliceEstimate &estimate = best_ ? best_->estimate : last_.estimate;
    return {best_.has_value(), std::exp2(estimate.log2Slices), estimate.sliced, stopped_};
  }

private:
  struct Start {
    std::vector<VarId> order;
    double heldSlack = 0;
    double score = std::numeric_limits<double>::infinity(); ///< how fit() ended
  };

  /// The deadline that was set when the time began, not a new time.
  static SearchLimits untimed(SearchLimits limits) {
    limits.seconds.reset();
    return limits;
  }

  /// Below the inputs nothing helps: then as small as is worth reporting.
  static double targetBytes(const SliceTask &task, const PlanOptions &options) {
    const uint64_t bound = options.maxMemoryBytes;
    return static_cast<double>(bound > task.inputBytes
                                   ? bound - task.inputBytes
                                   : std::max<uint64_t>(4096, task.inputBytes / 16));
  }

  static SliceLimits limitsOf(const SliceEstimate &whole, const SliceTask &task,
                              const PlanOptions &options) {
    return {std::max(std::min(kMostLog2Work, whole.log2Work + kMostLog2Factor),
                     whole.log2Work + kMostLog2LongFactor),
            std::log2(targetBytes(task, options) / elementBytes(options.type))};
  }

  /// The time is up.
  bool isOver() {
    stopped_ |= stop_.now();
    return stopped_;
  }

  /// One plan is looked for whatever the time.
  bool mustGoOn() const { return !best_ && trials_ < kLeastTrials; }

  SliceDraft draftOf(const Start &start) {
    return {start.order, slicer_.estimate(start.order, {}), limits_.log2BoundElems,
            start.heldSlack};
  }

  bool addVariable(SliceDraft &draft) {
    return slicer_.addVariable(draft, isOver() ? kLeastSteps : 0);
  }

  TrialResult tryDraft(const SliceDraft &draft) {
    OrderChoice choice;
    choice.order = draft.estimate.sliced;
    choice.order.insert(choice.order.end(), draft.order.begin(), draft.order.end());
    choice.slicedCount = draft.estimate.sliced.size();
    ++trials_;
    const TrialResult result = trial_(choice);
    last_ = draft;
    if (result.peakBytes <= options_.maxMemoryBytes && result.addresses < bestAddresses_) {
      best_ = draft;
      bestAddresses_ = result.addresses;
    }
    return result;
  }

  bool mayBeBest(const SliceEstimate &estimate) const {
    return !best_ ||
           estimate.log2Work + log2PerAddress_ < std::log2(bestAddresses_) + kEstimateError;
  }

  /// What an order costs without slices says little about what it costs with them: every start is
  /// sliced to half the bound, and those with least work then are taken.
  std::vector<Start> bestStarts() {
    std::vector<SliceDraft> drafts;
    std::vector<std::vector<VarId>> orders =
        sliceStarts(initial_, task_.orders, limits_.log2BoundElems - 1, !model_.orders.empty());
    const auto goesOn = [this] {
      return slicer_.stepsLeft() > (stop_.now() ? kFirstSteps : kSliceSteps / 2);
    };
    for (size_t i = 0; i < orders.size() && (i == 0 || goesOn()); ++i) {
      drafts.push_back(draftOf({orders[i], heldSlacks_.back()}));
      drafts.back().log2BoundElems -= 1;
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
    std::vector<Start> taken;
    for (size_t i = 0; i < places.size() && i < kMostStarts; ++i)
      for (const double slack : heldSlacks_)
        taken.push_back({orders[places[i]], slack});
    return taken;
  }

  /// Slices until the plan is within the bound; gives up when it has more work than the best one.
  /// How far it came: binary orders of work, and twice those that are missing in memory.
  double fit(SliceDraft draft, Reordering mode = Reordering::None) {
    double score = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < kMostTrialsOfFit && trials_ < mostTrials_ && (mustGoOn() || !isOver());
         ++i) {
      while (draft.excess() > 0) {
        if (!addVariable(draft)) {
          giveUp(draft);
          return score;
        }
        if (mode != Reordering::None && draft.excess() > 0 && reorderStepsOfFit_ > 0 && !isOver())
          reorder(draft, mode);
      }
      if (!mayBeBest(draft.estimate))
        return score;
      const TrialResult result = tryDraft(draft);
      // More is alive together than in one bucket: their bound is.
      const double excess = std::log2(std::max(1.0, static_cast<double>(result.peakBytes) -
                                                        static_cast<double>(task_.inputBytes)) /
                                      targetBytes(task_, options_));
      score = std::log2(result.addresses) + 2 * std::max(0.0, excess);
      if (result.peakBytes <= options_.maxMemoryBytes)
        return score;
      const double least = options_.maxMemoryBytes > task_.inputBytes ? kLeastStep : kMostStep;
      do
        draft.log2BoundElems -= std::clamp(excess / 2, least, kMostStep);
      while (draft.log2BoundElems > 0 && draft.excess() == 0);
      if (draft.log2BoundElems <= 0)
        return score;
    }
    return score;
  }

  /// For the smallest peak; it may be within the bound, which the estimate does not know.
  void giveUp(const SliceDraft &draft) {
    if (!best_ && !draft.estimate.sliced.empty())
      tryDraft(draft);
    last_ = draft;
  }

  /// The rest of a draft in other orders, found by a share of the first search's steps.
  std::vector<SliceDraft> otherOrders(const SliceDraft &draft, uint64_t share, Reordering mode) {
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
                     mode == Reordering::Known ? &draft.order : nullptr);
    stopped_ |= found.effort.stopped;
    orderSteps_ += found.effort.steps;
    std::vector<SliceDraft> drafts;
    for (const OrderChoice &choice : found.choices)
      if (choice.order.size() == draft.order.size()) // one that was given up leaves variables out
        drafts.push_back({choice.order, slicer_.estimate(choice.order, draft.estimate.sliced),
                          draft.log2BoundElems, draft.log2HeldSlack});
    return drafts;
  }

  /// Between two variables (Gray and Kourtis 2021, section 4.4): an order that was good before is
  /// rarely the best one for what conditioning left.
  void reorder(SliceDraft &draft, Reordering mode) {
    const uint64_t before = orderSteps_;
    for (SliceDraft &other : otherOrders(draft, kReorderShare, mode))
      if (other.log2LeastWork() < draft.log2LeastWork())
        draft = std::move(other);
    reorderSteps_ -= std::min(reorderSteps_, orderSteps_ - before);
    reorderStepsOfFit_ -= std::min(reorderStepsOfFit_, orderSteps_ - before);
  }

  /// Orders the rest anew; false when that did not help.
  bool searchOrder(Reordering mode) {
    const SliceDraft before = best_ ? *best_ : last_;
    const double addresses = bestAddresses_;
    for (SliceDraft &other : otherOrders(before, kOrderShare, mode))
      fit(std::move(other));
    return bestAddresses_ < addresses;
  }

  /// Innermost first. What saves no work, or no longer fits, stays sliced.
  void takeBack() {
    for (size_t i = best_->estimate.sliced.size(); i-- > 0 && best_->estimate.sliced.size() > 1;) {
      const VarId id = best_->estimate.sliced[i];
      if (slicer_.isOutput(id))
        continue;
      // It is eliminated last, beside the other variables that are most significant.
      SliceDraft draft = *best_;
      const auto held = std::count_if(draft.order.begin(), draft.order.end(),
                                      [this](VarId other) { return slicer_.isOutput(other); });
      draft.order.insert(draft.order.begin() + held, id);
      std::vector<VarId> sliced = draft.estimate.sliced;
      std::erase(sliced, id);
      draft.estimate = slicer_.estimate(draft.order, sliced);
      if (draft.estimate.log2Work < best_->estimate.log2Work)
        tryDraft(draft);
      i = std::min(i, best_->estimate.sliced.size());
    }
  }

  const Model &model_;
  const TableProgram &initial_;
  const SliceTask &task_;
  const PlanOptions &options_;
  const SliceTrial &trial_;
  const SearchStop stop_;
  const SliceEstimate whole_; ///< of the first order, without slices
  const SliceLimits limits_;
  SliceSteps slicer_;
  const std::span<const double> heldSlacks_;
  const double log2PerAddress_; ///< addresses of its program beside the estimate
  uint64_t reorderSteps_;       ///< left for all reorderings together
  uint64_t reorderStepsOfFit_ = 0;
  const size_t mostTrials_;
  uint64_t orderSteps_ = 0; ///< of all searches for orders so far
  size_t trials_ = 0;
  std::optional<SliceDraft> best_; ///< its program is within the bound, and the cheapest so far
  double bestAddresses_ = std::numeric_limits<double>::infinity();
  SliceDraft last_;      ///< that was tried
  bool stopped_ = false; ///< a search for orders
};

} // namespace

SliceSearch searchSlices(const Model &model, const TableProgram &initial, const SliceTask &task,
                         const PlanOptions &options, const SliceTrial &trial) {
  return Search(model, initial, task, options, trial).run();
}

} // namespace mpf
