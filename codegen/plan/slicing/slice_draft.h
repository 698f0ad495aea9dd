// One order with the variables that are sliced so far, and the greedy step that adds one more.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "codegen/plan/slicing/slice_estimate.h"
#include "codegen/plan/slicing/slice_estimator.h"

#include <limits>
#include <vector>

namespace mpf {

using BucketSize = double BucketEstimate::*;

struct SliceDraft {
  std::vector<VarId> order; ///< of all variables that are not sliced
  SliceEstimate estimate;
  double log2BoundElems = 0; ///< that its buckets are held to, with what waits beside them
  /// Marginals: binary orders by which all messages together may be above that, because some of
  /// them are computed again (pass_recompute_messages.h).
  double log2HeldSlack = 0;
  LoopEnds ends = LoopEnds::Last;

  /// How far the buckets are above their bound, added up as logarithms; 0: none is.
  double excess() const { return excess(estimate, &BucketEstimate::log2LocalElems); }
  /// The same with what waits beside the buckets, which is an estimate.
  double excessAlive() const { return excess(estimate, &BucketEstimate::log2AliveElems); }
  double excess(const SliceEstimate &of, BucketSize size) const;
  /// What its largest bucket takes, or all that is held.
  double log2LeastElems() const;
  /// Should every further slice make all buckets run once more, the work to expect.
  double log2LeastWork() const;
};

/// What a plan in slices may cost.
struct SliceLimits {
  double log2MostWork = std::numeric_limits<double>::infinity(); ///< in the estimate's addresses
  double log2BoundElems = 0; ///< what is there for all tables but the inputs
};

/// Adds variables to drafts, and counts the steps that takes.
class SliceSteps {
public:
  /// All references must outlive it.
  SliceSteps(const TableProgram &initial, const SliceLimits &limits);

  SliceEstimate estimate(const std::vector<VarId> &order, const std::vector<VarId> &sliced,
                         LoopEnds ends);

  /// One variable more: out of the largest bucket, or if none of those helps, out of the one beside
  /// which most is alive, the one that brings the buckets and what waits beside them, or at least
  /// the buckets, furthest towards the bound for the least additional work. False when there is
  /// none, or when no steps are left; of few candidates when fewer than `leastSteps` are.
  bool addVariable(SliceDraft &draft, double leastSteps);

  double stepsLeft() const { return stepsLeft_; }
  bool isOutput(VarId id) const;

private:
  std::vector<VarId> candidates(const SliceDraft &draft, BucketSize size, double leastSteps);
  std::vector<VarId> candidatesFrom(const SliceDraft &draft, BucketSize size, double leastSteps,
                                    bool outputs);
  bool copyIsTooLarge(VarId id) const;

  const TableProgram &initial_;
  const SliceLimits limits_;
  const std::vector<VarId> outputScope_;
  SliceEstimator estimator_;
  double stepsLeft_;
};

/// Elementary steps that all estimates of a search may take.
inline constexpr double kSliceSteps = 1e8;

} // namespace mpf
