#include "codegen/plan/slicing/slice_fit.h"

#include "codegen/plan/program/planning_budget.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mpf {

namespace {

/// The most programs that a search makes, the most that one fit makes, and the number always
/// allowed.
constexpr size_t kMostTrials = 128, kMostTrialsOfFit = 10, kLeastTrials = 5;
/// The most tables of all programs that are tried, so that large models are not planned for
/// minutes.
constexpr size_t kMostTables = 1'000'000;
/// The ratio of times to make a program that computes messages again and one that does not.
constexpr size_t kRecomputeTrials = 8;
/// Tables of a usual program for each input. Reentered loops may make many times as many, and such
/// a program counts as several trials.
constexpr size_t kUsualTables = 16;
/// Bounds of the step, in binary orders, by which the bound on buckets is lowered when their sum is
/// still too much.
constexpr double kLeastStep = 0.25, kMostStep = 2;
/// The steps left down to which the first variables are looked for when the time is up.
constexpr double kHastySteps = kSliceSteps / 8;
/// A variable stays sliced unless putting it back saves this much work (log2). After so many trials
/// in vain, no more are tried.
constexpr double kLeastGain = 0.02;
constexpr size_t kMostVainTakes = 4;
/// Limits of a draft's estimate, in binary orders, above the best program and above the plan
/// without slices. Beyond them it is not tried.
constexpr double kEstimateError = 0.2, kEstimateErrorOfWhole = 1;

/// Time to make a program, for each of its tables.
constexpr double kTableOfTrialUs = 8;
/// A search may always take so long, about as long as a process takes to start.
constexpr double kFreeUs = 5'000;

} // namespace

double sliceTargetBytes(const SliceTask &task, const PlanOptions &options) {
  const uint64_t bound = options.maxMemoryBytes;
  return static_cast<double>(bound > task.inputBytes
                                 ? bound - task.inputBytes
                                 : std::max<uint64_t>(4096, task.inputBytes / 16));
}

SliceFit::SliceFit(const SliceProblem &problem, double log2WholeWork, DraftSlicer &slicer,
                   RestOrders &orders)
    : task_(problem.task), options_(problem.options), trial_(problem.trial),
      targetBytes_(sliceTargetBytes(task_, options_)),
      log2PerAddress_(std::log2(task_.wholeAddresses) - log2WholeWork),
      stop_(untimed(options_.search)), slicer_(slicer), orders_(orders),
      tableTrials_(kMostTables / problem.initial.tables.size() /
                   (task_.recomputes ? kRecomputeTrials : 1)),
      usualTables_(kUsualTables * problem.initial.tables.size()),
      mostTrials_(std::clamp(tableTrials_, kLeastTrials, kMostTrials)) {}

double SliceFit::spentUs() const {
  return task_.spentUs + slicer_.spentUs() + tablesOfTrials_ * kTableOfTrialUs +
         options_.runCosts.searchUs(static_cast<double>(orders_.steps()));
}

/// Whether nothing is worth a search beside a plan of so many addresses. Infinite: there is none.
bool SliceFit::cannotPay(double knownAddresses) const {
  if (std::isinf(knownAddresses))
    return false;
  const double added = knownAddresses / task_.wholeAddresses - 1;
  if (added <= 0)
    return true;
  return spentUs() > kFreeUs &&
         !questionPays(spentUs(), task_.wholeUs * added, options_.runCosts.expectedRuns);
}

bool SliceFit::isDone() const { return cannotPay(std::min(bestAddresses_, task_.knownAddresses)); }

bool SliceFit::suffices(const SliceDraft &draft) const {
  const bool mayFit = options_.maxMemoryBytes > task_.inputBytes;
  return mayFit && draft.excessAlive() == 0 &&
         cannotPay(std::exp2(draft.estimate.log2Work + log2PerAddress_));
}

bool SliceFit::isOver() {
  stopped_ |= stop_.now();
  return stopped();
}

bool SliceFit::mustGoOn() const { return !best_ && trials_ < kLeastTrials; }

bool SliceFit::addVariable(SliceDraft &draft) {
  return slicer_.addVariable(draft, isOver() ? slicer_.mostSteps() - kHastySteps : 0);
}

TrialResult SliceFit::tryDraft(const SliceDraft &draft) {
  OrderChoice choice;
  choice.order = draft.estimate.sliced;
  choice.order.insert(choice.order.end(), draft.order.begin(), draft.order.end());
  choice.slicedCount = draft.estimate.sliced.size();
  choice.ends = draft.ends;
  last_ = draft;
  const auto [known, isNew] = tried_.try_emplace({choice.order, choice.slicedCount, choice.ends});
  if (!isNew)
    return known->second;
  const TrialResult result = known->second = trial_(choice);
  trials_ += std::max<size_t>(1, result.tables / usualTables_);
  tablesOfTrials_ += static_cast<double>(result.tables);
  if (result.fits && result.addresses < bestAddresses_) {
    best_ = draft;
    bestAddresses_ = result.addresses;
  }
  return result;
}

/// Whether a draft may give a better program than the best one. Estimates are too high where passes
/// merge operations. So a draft is compared with both the best program and its estimate.
bool SliceFit::mayBeBest(const SliceEstimate &estimate) const {
  if (estimate.log2Work > kEstimateErrorOfWhole + std::log2(task_.knownAddresses) - log2PerAddress_)
    return false;
  return !best_ ||
         estimate.log2Work < kEstimateError + std::max(std::log2(bestAddresses_) - log2PerAddress_,
                                                       best_->estimate.log2Work);
}

double SliceFit::fit(SliceDraft draft, Reorderings &reorderings) {
  MPF_CHECK(targetBytes_ > 0, "a bound of {} bytes leaves {} beside {} of inputs",
            options_.maxMemoryBytes, targetBytes_, task_.inputBytes);
  double score = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < kMostTrialsOfFit && trials_ < mostTrials_ && (mustGoOn() || !isOver());
       ++i) {
    while (draft.excessAlive() > 0) {
      if (!addVariable(draft)) {
        if (draft.excess() == 0)
          break; // only the waiting messages are too large, and they are estimated: make the
                 // program
        giveUp(draft);
        return score;
      }
      if (draft.excessAlive() > 0)
        reorder(draft, reorderings);
    }
    if (!mayBeBest(draft.estimate))
      return score;
    const TrialResult result = tryDraft(draft);
    // The bound is on all tables in memory; those beside one bucket may take more than estimated.
    const double excess = std::log2(std::max(1.0, static_cast<double>(result.peakBytes) -
                                                      static_cast<double>(task_.inputBytes)) /
                                    targetBytes_);
    score = std::log2(result.addresses) + 2 * std::max(0.0, excess);
    if (result.fits)
      return score;
    const double least = options_.maxMemoryBytes > task_.inputBytes ? kLeastStep : kMostStep;
    do
      draft.log2BoundElems -= std::clamp(excess / 2, least, kMostStep);
    while (draft.log2BoundElems > 0 && draft.excessAlive() == 0);
    if (draft.log2BoundElems <= 0)
      return score;
  }
  return score;
}

/// Tries a draft that cannot be sliced further, if it may give the smallest peak. Its program may
/// even be within the bound, because the estimate is not exact.
void SliceFit::giveUp(const SliceDraft &draft) {
  const bool isWanted = !best_ && !draft.estimate.sliced.empty();
  const double log2Least = draft.log2LeastElems();
  if (isWanted && std::isinf(task_.knownAddresses) && log2Least < log2GivenUp_) {
    log2GivenUp_ = log2Least;
    tryDraft(draft);
  }
  last_ = draft;
}

void SliceFit::reorder(SliceDraft &draft, Reorderings &reorderings) {
  if (reorderings.mode == Reordering::None || reorderings.stepsLeft == 0 || isOver())
    return;
  const uint64_t before = orders_.steps();
  for (SliceDraft &other :
       orders_.find(draft, reorderings.mode, reorderings.divisor, reorderings.seed))
    if (other.log2LeastWork() < draft.log2LeastWork())
      draft = std::move(other);
  reorderings.stepsLeft -= std::min(reorderings.stepsLeft, orders_.steps() - before);
}

void SliceFit::putBack(SliceDraft &draft, VarId id) {
  MPF_CHECK(!slicer_.isOutput(id), "output variable {} stays sliced", id);
  const auto held = std::count_if(draft.order.begin(), draft.order.end(),
                                  [this](VarId other) { return slicer_.isOutput(other); });
  draft.order.insert(draft.order.begin() + held, id);
  std::vector<VarId> sliced = draft.estimate.sliced;
  const size_t taken = std::erase(sliced, id);
  MPF_CHECK(taken == 1, "variable {} is put back and is {} of {} sliced variables", id, taken,
            sliced.size() + taken);
  draft.estimate = slicer_.estimate(draft.order, sliced, draft.ends);
}

void SliceFit::removeUnneededSlices() {
  MPF_CHECK(best_, "no draft fits after {} trials", trials_);
  size_t vain = 0;
  for (size_t i = best_->estimate.sliced.size();
       i-- > 0 && best_->estimate.sliced.size() > 1 && vain < kMostVainTakes;) {
    if (slicer_.isOutput(best_->estimate.sliced[i]))
      continue;
    SliceDraft draft = *best_;
    putBack(draft, best_->estimate.sliced[i]);
    if (draft.estimate.log2Work > best_->estimate.log2Work - kLeastGain)
      continue;
    const double before = bestAddresses_;
    tryDraft(draft);
    vain = bestAddresses_ < before ? 0 : vain + 1;
    i = std::min(i, best_->estimate.sliced.size());
  }
}

} // namespace mpf
