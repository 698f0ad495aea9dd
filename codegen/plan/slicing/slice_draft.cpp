#include "codegen/plan/slicing/slice_draft.h"

#include "codegen/plan/program/slice_copies.h"
#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace mpf {

namespace {

constexpr size_t kMostVariablesTried = 64, kLeastVariablesTried = 4;
constexpr double kMostLog2Slices = 34;

/// The output variables of an initial program.
std::vector<VarId> outputsOf(const TableProgram &initial) {
  MPF_CHECK(initial.operations.size() == 1, "an initial program of {} operations",
            initial.operations.size());
  return initial.table(initial.operations.front().result).scope;
}

} // namespace

double SliceDraft::excess(const SliceEstimate &of, BucketSize size) const {
  double sum = 0;
  for (const BucketEstimate &bucket : of.buckets)
    sum += std::max(0.0, bucket.*size - log2BoundElems);
  return sum + std::max(0.0, of.log2HeldElems - log2BoundElems - log2HeldSlack);
}

double SliceDraft::log2LeastElems() const {
  return std::max(estimate.log2MostAliveElems, estimate.log2HeldElems - log2HeldSlack);
}

double SliceDraft::log2LeastWork() const {
  return estimate.log2Work + std::max(0.0, log2LeastElems() - log2BoundElems);
}

DraftSlicer::DraftSlicer(const TableProgram &initial, const SliceLimits &limits)
    : initial_(initial), limits_(limits), outputScope_(outputsOf(initial)),
      estimator_(initial, limits.leastAddresses), stepsLeft_(limits.steps) {}

SliceEstimate DraftSlicer::estimate(const std::vector<VarId> &order,
                                    const std::vector<VarId> &sliced, LoopEnds ends) {
  return estimator_.estimate(order, sliced, ends);
}

/// Candidates come from the bucket of the largest `size`. Output variables are candidates only if
/// there are no others: slicing them takes the memory of the result a second time.
std::vector<VarId> DraftSlicer::candidates(const SliceDraft &draft, BucketSize size,
                                           double leastSteps) {
  std::vector<VarId> list = candidatesFrom(draft, size, leastSteps, false);
  const bool outputs = allowsSlicedOutputs(initial_.operations.front().semiring);
  return list.empty() && outputs ? candidatesFrom(draft, size, leastSteps, true) : list;
}

std::vector<VarId> DraftSlicer::candidatesFrom(const SliceDraft &draft, BucketSize size,
                                               double leastSteps, bool outputs) {
  const BucketEstimate *worst = nullptr;
  for (const BucketEstimate &bucket : draft.estimate.buckets)
    if (worst == nullptr || bucket.*size > worst->*size)
      worst = &bucket;
  std::vector<VarId> list;
  if (worst == nullptr)
    return list;
  const double steps = 1 + static_cast<double>(draft.estimate.scopes.size()) +
                       4 * static_cast<double>(draft.estimate.buckets.size());
  const auto most = static_cast<size_t>(std::clamp((stepsLeft_ - leastSteps) / 16 / steps,
                                                   static_cast<double>(kLeastVariablesTried),
                                                   static_cast<double>(kMostVariablesTried)));
  const bool sorts = limits_.mostTried != SIZE_MAX;
  for (const VarId id : draft.estimate.scope(*worst))
    if ((sorts || list.size() < most) && isOutput(id) == outputs && !copyIsTooLarge(id))
      list.push_back(id);
  if (sorts)
    keepLast(list, draft, std::min(most, limits_.mostTried));
  stepsLeft_ = std::max(0.0, stepsLeft_ - steps * static_cast<double>(list.size()));
  return list;
}

/// Keeps the `count` variables of the list that the draft eliminates last.
void DraftSlicer::keepLast(std::vector<VarId> &list, const SliceDraft &draft, size_t count) {
  if (list.size() <= count)
    return;
  std::vector<VarId> last;
  for (size_t i = 0; i < draft.order.size() && last.size() < count; ++i)
    if (std::find(list.begin(), list.end(), draft.order[i]) != list.end())
      last.push_back(draft.order[i]);
  list = std::move(last);
}

/// Whether the identity table of the variable's copy (slice_copies.h) would take more than a
/// quarter of the memory.
bool DraftSlicer::copyIsTooLarge(VarId id) const {
  const double log2Extent = std::log2(initial_.variables[id.index()].extent);
  return (traitsOf(initial_.kind).outputs == QueryOutputs::Posteriors || isOutput(id)) &&
         2 * log2Extent > limits_.log2BoundElems - 2;
}

bool DraftSlicer::isOutput(VarId id) const {
  return std::find(outputScope_.begin(), outputScope_.end(), id) != outputScope_.end();
}

bool DraftSlicer::addVariable(SliceDraft &draft, double leastSteps) {
  if (draft.estimate.sliced.size() == kMaxLoops || stepsLeft_ <= 0)
    return false;
  double bestScore = std::numeric_limits<double>::infinity();
  std::optional<SliceEstimate> best;
  VarId chosen;
  std::vector<VarId> order, sliced;
  const auto tryAll = [&](BucketSize from, BucketSize of) {
    const double excess = draft.excess(draft.estimate, of);
    for (const VarId id : candidates(draft, from, leastSteps)) {
      order = draft.order;
      const size_t taken = std::erase(order, id);
      MPF_CHECK(taken == 1, "variable {} is to be sliced and is {} of {} in the order", id, taken,
                draft.order.size());
      sliced = draft.estimate.sliced;
      sliced.push_back(id);
      SliceEstimate estimate = estimator_.estimate(order, sliced, draft.ends);
      const double gain = excess - draft.excess(estimate, of);
      // The loop itself has a small price: of two variables that add no work, the one that gains
      // more is taken.
      const double price = std::max(0.0, estimate.log2Work - draft.estimate.log2Work) + 0.01;
      if (gain <= 0 || estimate.log2Work > limits_.log2MostWork ||
          estimate.log2Slices > kMostLog2Slices || price / gain >= bestScore)
        continue;
      bestScore = price / gain;
      best = std::move(estimate);
      chosen = id;
    }
  };
  constexpr BucketSize kLocal = &BucketEstimate::log2LocalElems,
                       kAlive = &BucketEstimate::log2AliveElems;
  tryAll(kLocal, kAlive);
  if (!best)
    tryAll(kAlive, kAlive);
  if (!best) // a message that runs in fewer slices waits for longer: then the buckets alone count
    tryAll(kLocal, kLocal);
  if (!best)
    return false;
  draft.estimate = std::move(*best);
  const size_t taken = std::erase(draft.order, chosen);
  MPF_CHECK(taken == 1, "variable {} is sliced and was {} of {} in the order", chosen, taken,
            draft.order.size() + taken);
  return true;
}

} // namespace mpf
