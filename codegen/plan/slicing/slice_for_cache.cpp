#include "codegen/plan/slicing/slice_for_cache.h"

#include "codegen/plan/slicing/slice_draft.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace mpf {

namespace {

/// The share of the cache that the tables of one slice may take; the rest is for inputs and for
/// other programs.
constexpr double kCacheShare = 0.75;
/// The time that estimates may take when the time for planning is up.
constexpr double kHastyUs = 10'000;
/// The most binary orders of work that slices may add.
constexpr double kMostLog2Factor = 1;

/// The places where the loops may end. A traceback needs loops that end last.
std::vector<LoopEnds> endsOf(const QueryTraits &traits) {
  if (traits.decoding || traits.goesDownward)
    return {LoopEnds::Last};
  return {LoopEnds::AtOnce, LoopEnds::WhenSmall, LoopEnds::Last};
}

} // namespace

std::optional<OrderChoice> sliceForCache(const TableProgram &initial, const OrderChoice &order,
                                         const PlanOptions &options, uint64_t wholeBytes,
                                         double mostUs) {
  const RunCosts &costs = options.runCosts;
  const double entryBytes = elementBytes(options.type);
  const double leastAddresses = costs.leastAddresses(order.work);
  const SliceEstimate whole =
      SliceEstimator(initial, leastAddresses).estimate(order.order, {}, LoopEnds::Last);
  SliceLimits limits;
  limits.log2MostWork = whole.log2Work + kMostLog2Factor;
  limits.leastAddresses = leastAddresses;
  limits.log2BoundElems = std::log2(kCacheShare * costs.memory.cacheBytes / entryBytes);
  limits.steps = std::min(kSliceSteps, mostUs / kEstimateStepUs);
  DraftSlicer slicer(initial, limits);
  const double wholeUs = costs.runUs(order.joinedWork);
  const auto firstRunsUs = [&](const SliceEstimate &estimate, double bytes) {
    return costs.expectedRuns * wholeUs * std::exp2(estimate.log2Work - whole.log2Work) +
           costs.touchUs(bytes);
  };
  double leastUs = firstRunsUs(whole, static_cast<double>(wholeBytes));
  std::optional<SliceDraft> best;
  const SearchStop stop(untimed(options.search));
  for (const LoopEnds ends : endsOf(traitsOf(initial.kind))) {
    SliceDraft draft{order.order, whole, limits.log2BoundElems, 0, ends};
    while (draft.excessAlive() > 0 && (!stop.now() || slicer.spentUs() < kHastyUs) &&
           slicer.addVariable(draft, 0)) {
      const double bytes = std::exp2(draft.log2LeastElems()) * entryBytes;
      if (const double us = firstRunsUs(draft.estimate, bytes); us < leastUs) {
        leastUs = us;
        best = draft;
      }
    }
  }
  if (!best)
    return std::nullopt;
  OrderChoice sliced;
  sliced.order = best->estimate.sliced;
  sliced.order.insert(sliced.order.end(), best->order.begin(), best->order.end());
  sliced.slicedCount = best->estimate.sliced.size();
  sliced.ends = best->ends;
  return sliced;
}

} // namespace mpf
