#include "codegen/plan/slice_variables.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

/// Searches for other orders of the rest, each a share of one without a bound.
constexpr size_t kOrderSearches = 4;
constexpr uint64_t kOrderShare = 16;
/// Elementary steps that all estimates together may take.
constexpr double kEstimateSteps = 4e7;
constexpr size_t kMostCandidates = 64;
/// Beyond this no run ends.
constexpr double kMostLog2Work = 56;
constexpr double kMostLog2Slices = 34;
/// Buckets beyond this are not worth a search.
constexpr double kHopelessLog2 = 400;

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

class Search {
public:
  Search(const Model &model, const TableProgram &initial, const std::vector<OrderChoice> &start,
         const PlanOptions &options, uint64_t inputBytes, const SliceTrial &trial)
      : model_(model), initial_(initial), options_(options), trial_(trial),
        outputScope_(initial.table(initial.operations.front().result).scope) {
    const uint64_t bound = options.maxMemoryBytes;
    // Below the inputs nothing helps: then as small as is worth reporting.
    const uint64_t target =
        bound > inputBytes ? bound - inputBytes : std::max<uint64_t>(4096, inputBytes / 16);
    log2Bound_ = std::log2(static_cast<double>(target) / elementBytes(options.type));
    order_ = start.front().order;
    estimate_ = estimateSlices(initial, order_, {});
    log2WorkBefore_ = estimate_.log2Work;
    for (size_t i = 1; i < start.size(); ++i)
      consider(start[i].order);
  }

  SliceSearch run() {
    if (estimate_.log2LargestLocalElems > kHopelessLog2)
      return {};
    while (!fits_) {
      // More is alive together than in one bucket: when no bucket is too large, their bound is.
      while (log2Bound_ > 0 && estimate_.excess(log2Bound_) == 0)
        log2Bound_ -= 0.5;
      if (!addVariable())
        break;
      searchOrder();
      if (estimate_.excess(log2Bound_) == 0)
        fits_ = tryPlan(order_, estimate_.sliced);
    }
    if (fits_)
      takeBack();
    else if (!estimate_.sliced.empty())
      tryPlan(order_, estimate_.sliced); // for the smallest peak
    return {fits_, std::exp2(estimate_.log2Slices), std::exp2(estimate_.log2Work - log2WorkBefore_),
            estimate_.sliced, stopped_};
  }

private:
  bool tryPlan(const std::vector<VarId> &order, const std::vector<VarId> &sliced) {
    OrderChoice choice;
    choice.order = sliced;
    choice.order.insert(choice.order.end(), order.begin(), order.end());
    choice.slicedCount = sliced.size();
    return trial_(choice) <= options_.maxMemoryBytes;
  }

  /// Candidates come from the bucket furthest above the bound.
  std::vector<VarId> candidates() const {
    const BucketEstimate *worst = nullptr;
    double steps = 1;
    for (const BucketEstimate &bucket : estimate_.buckets) {
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
      if (list.size() < most &&
          std::find(outputScope_.begin(), outputScope_.end(), id) == outputScope_.end())
        list.push_back(id);
    stepsLeft_ = std::max(0.0, stepsLeft_ - steps * static_cast<double>(list.size()));
    return list;
  }

  bool addVariable() {
    const double excess = estimate_.excess(log2Bound_);
    double bestScore = std::numeric_limits<double>::infinity();
    std::optional<SliceEstimate> best;
    VarId chosen;
    for (const VarId id : candidates()) {
      std::vector<VarId> sliced = estimate_.sliced;
      sliced.push_back(id);
      SliceEstimate estimate = estimateSlices(initial_, without(order_, id), sliced);
      const double gain = excess - estimate.excess(log2Bound_);
      // A little for the loop itself: of two free variables the one that gains more.
      const double price = std::max(0.0, estimate.log2Work - estimate_.log2Work) + 0.01;
      if (gain <= 0 || estimate.log2Work > kMostLog2Work || estimate.log2Slices > kMostLog2Slices ||
          price / gain >= bestScore)
        continue;
      bestScore = price / gain;
      best = std::move(estimate);
      chosen = id;
    }
    if (!best)
      return false;
    estimate_ = std::move(*best);
    order_ = without(order_, chosen);
    return true;
  }

  /// Work counts, and so does what is still above the bound: that will have to be sliced.
  double judged(const SliceEstimate &estimate) const {
    return estimate.log2Work + estimate.excess(log2Bound_);
  }

  void consider(const std::vector<VarId> &order) {
    if (order.size() + estimate_.sliced.size() != initial_.order.size())
      return; // of the rest, and given up (EliminationOrder::hopeless): variables are left out
    SliceEstimate estimate = estimateSlices(initial_, order, estimate_.sliced);
    if (judged(estimate) >= judged(estimate_))
      return;
    estimate_ = std::move(estimate);
    order_ = order;
  }

  void searchOrder() {
    if (searches_ == kOrderSearches)
      return;
    ++searches_;
    PlanOptions options = options_;
    options.searchSteps /= kOrderShare;
    // By default steps alone, however the first search ended: its rounds repeat the whole plan.
    options.search.seconds.reset();
    options.search.rounds.reset();
    Diagnostics unheard; // a given order was judged before
    const OrderChoices found =
        chooseOrders(model_, conditioned(initial_, estimate_.sliced), options, unheard);
    stopped_ |= found.effort.stopped;
    for (const OrderChoice &choice : found.choices)
      consider(choice.order);
  }

  /// Innermost first. What saves no work, or no longer fits, stays sliced.
  void takeBack() {
    for (size_t i = estimate_.sliced.size(); i-- > 0 && estimate_.sliced.size() > 1;) {
      const VarId id = estimate_.sliced[i];
      // It is eliminated last, beside the other variables that are most significant.
      std::vector<VarId> order = order_;
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(outputScope_.size()), id);
      SliceEstimate estimate = estimateSlices(initial_, order, without(estimate_.sliced, id));
      if (estimate.log2Work >= estimate_.log2Work || !tryPlan(order, estimate.sliced))
        continue;
      estimate_ = std::move(estimate);
      order_ = std::move(order);
      i = std::min(i, estimate_.sliced.size());
    }
  }

  const Model &model_;
  const TableProgram &initial_;
  const PlanOptions &options_;
  const SliceTrial &trial_;
  const std::vector<VarId> outputScope_;
  double log2Bound_ = 0; ///< entries that the messages of one bucket may have
  double log2WorkBefore_ = 0;
  std::vector<VarId> order_; ///< of all variables that are not sliced
  SliceEstimate estimate_;   ///< of order_ and the sliced variables so far
  size_t searches_ = 0;
  mutable double stepsLeft_ = kEstimateSteps;
  bool fits_ = false;
  bool stopped_ = false; ///< a search for orders
};

} // namespace

SliceSearch searchSlices(const Model &model, const TableProgram &initial,
                         const std::vector<OrderChoice> &start, const PlanOptions &options,
                         uint64_t inputBytes, const SliceTrial &trial) {
  return Search(model, initial, start, options, inputBytes, trial).run();
}

std::string slicingRefused(QueryKind kind) {
  if (kind == QueryKind::Marginals)
    return "marginals are not computed in slices; ask for single posteriors, which are";
  return {};
}

} // namespace mpf
