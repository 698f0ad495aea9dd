#include "codegen/plan/slicing/slice_for_cache.h"

#include "codegen/plan/program/planning_budget.h"
#include "codegen/plan/slicing/slice_draft.h"
#include "dsl/support/memory/side_by_side.h"

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
/// Candidates for each sliced variable. All others seldom give a better draft, in several times the
/// steps.
constexpr size_t kCandidates = 8;

/// The places where the loops may end. A traceback needs loops that end last.
std::vector<LoopEnds> endsOf(const QueryTraits &traits) {
  if (traits.decoding || traits.goesDownward)
    return {LoopEnds::Last};
  return {LoopEnds::AtOnce, LoopEnds::WhenSmall, LoopEnds::Last};
}

/// The most slices of a draft that threads compute side by side, each in its own memory.
uint64_t slicesAtOnce(const TableProgram &initial, const SliceEstimate &draft,
                      const PlanOptions &options) {
  return mostSideBySide(draft.loops, options.slicesAtOnce, [&](uint32_t loop) {
    return initial.variables[draft.sliced[loop - 1].index()].extent;
  });
}

} // namespace

std::optional<OrderChoice> sliceForCache(const TableProgram &initial, const OrderChoice &order,
                                         const PlanOptions &options, const WholeRuns &whole) {
  const RunCosts &costs = options.runCosts;
  const double runsUs = costs.expectedRuns * whole.runUs;
  if (whole.enoughUs <= runsUs)
    return std::nullopt; // slices save pages, hardly ever work
  const double entryBytes = elementBytes(options.type);
  const double leastAddresses = costs.leastAddresses(order.work);
  const SliceEstimate unsliced =
      SliceEstimator(initial, leastAddresses).estimate(order.order, {}, LoopEnds::Last);
  SliceLimits limits;
  limits.log2MostWork = unsliced.log2Work + std::log2(whole.enoughUs / runsUs);
  limits.leastAddresses = leastAddresses;
  limits.log2BoundElems = std::log2(kCacheShare * costs.memory.cacheBytes / entryBytes /
                                    std::max(1U, options.slicesAtOnce));
  limits.steps = std::min(kSliceSteps, whole.estimateUs / kEstimateStepUs);
  limits.mostTried = kCandidates;
  DraftSlicer slicer(initial, limits);
  double leastUs = whole.enoughUs;
  std::optional<SliceDraft> best;
  const SearchStop stop(untimed(options.search));
  double draftUs = 0; // time of the first draft
  for (const LoopEnds ends : endsOf(traitsOf(initial.kind))) {
    if (draftUs > 0 && !questionPays(draftUs, leastUs - runsUs, 1))
      break; // where loops end changes little but memory
    SliceDraft draft{order.order, unsliced, limits.log2BoundElems, 0, ends};
    while (draft.excessAlive() > 0 && (!stop.now() || slicer.spentUs() < kHastyUs) &&
           slicer.addVariable(draft, 0)) {
      const double bytes = std::exp2(draft.log2LeastElems()) * entryBytes *
                           static_cast<double>(slicesAtOnce(initial, draft.estimate, options));
      const double us =
          runsUs * std::exp2(draft.estimate.log2Work - unsliced.log2Work) + costs.touchUs(bytes);
      if (us < leastUs) {
        leastUs = us;
        best = draft;
      }
    }
    if (draftUs == 0)
      draftUs = slicer.spentUs();
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
