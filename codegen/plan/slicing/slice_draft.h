// Defines a draft of a plan in slices, with its estimate, and the greedy step that slices one more
// variable.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "codegen/plan/slicing/slice_estimate.h"
#include "codegen/plan/slicing/slice_estimator.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace mpf {

/// The size of a bucket that is considered: log2LocalElems or log2AliveElems.
using BucketSize = double BucketEstimate::*;

/// A draft: an order, the variables that are sliced so far (estimate.sliced), and bounds.
struct SliceDraft {
  std::vector<VarId> order; ///< global order of all variables that are not sliced
  SliceEstimate estimate;
  double log2BoundElems = 0; ///< bound for each bucket with the messages that wait beside it
  /// Marginals: the excess (log2) of all messages together over that bound that is allowed, because
  /// some of them are computed again (pass_recompute_messages.h).
  double log2HeldSlack = 0;
  LoopEnds ends = LoopEnds::Last;

  /// Excess of the buckets over the bound, as a sum of logarithms, plus the excess of all messages
  /// of marginals together; 0: nothing exceeds it.
  double excess() const { return excess(estimate, &BucketEstimate::log2LocalElems); }
  /// Excess with the messages that wait beside the buckets, whose memory is estimated.
  double excessAlive() const { return excess(estimate, &BucketEstimate::log2AliveElems); }
  double excess(const SliceEstimate &of, BucketSize size) const;
  /// Entries (log2) of the largest bucket with the messages that wait beside it. For marginals,
  /// those of all messages, less their slack, if that is more.
  double log2LeastElems() const;
  /// The expected work (log2) if further slices are needed and each repeats all buckets.
  double log2LeastWork() const;
};

/// Elementary steps of estimates, about a second.
inline constexpr double kSliceSteps = 1e8;
/// Time of a step of an estimate.
inline constexpr double kEstimateStepUs = 0.01;

/// The most work and memory that a plan in slices may take.
struct SliceLimits {
  /// The unit is that of estimates: addresses of buckets.
  double log2MostWork = std::numeric_limits<double>::infinity();
  double leastAddresses = 0;  ///< least addresses that a bucket counts as (SliceEstimator)
  double log2BoundElems = 0;  ///< entries that the bound leaves for all tables but the inputs
  double steps = kSliceSteps; ///< elementary steps that all estimates of a search may take
  /// Candidates that are tried for each variable, those that are eliminated last: fewest buckets
  /// come after these, and run once for each of their states.
  size_t mostTried = SIZE_MAX;
};

/// Adds sliced variables to drafts, and counts the steps that this takes. Not thread-safe.
class DraftSlicer {
public:
  /// `initial` must outlive this.
  DraftSlicer(const TableProgram &initial, const SliceLimits &limits);

  /// Returns SliceEstimator::estimate, and counts its steps.
  SliceEstimate estimate(const std::vector<VarId> &order, const std::vector<VarId> &sliced,
                         LoopEnds ends);

  /// Slices one more variable. Candidates are the variables of the largest bucket. If none of them
  /// helps, they are those of the bucket beside which most memory is in use. The best candidate
  /// brings the buckets and their waiting messages (or at least the buckets) closer to the bound,
  /// for the least additional work per gain. Returns false, and nothing changes, when there is
  /// none, when kMaxLoops variables are sliced, or when no steps are left. With fewer than
  /// `leastSteps` steps left, only a few candidates are tried.
  bool addVariable(SliceDraft &draft, double leastSteps);

  double mostSteps() const { return limits_.steps; }
  double stepsLeft() const { return stepsLeft_; } ///< of mostSteps()
  double spentUs() const { return (limits_.steps - stepsLeft_) * kEstimateStepUs; }
  bool isOutput(VarId id) const;

private:
  std::vector<VarId> candidates(const SliceDraft &draft, BucketSize size, double leastSteps);
  std::vector<VarId> candidatesFrom(const SliceDraft &draft, BucketSize size, double leastSteps,
                                    bool outputs);
  bool copyIsTooLarge(VarId id) const;
  static void keepLast(std::vector<VarId> &list, const SliceDraft &draft, size_t count);

  const TableProgram &initial_;
  const SliceLimits limits_;
  const std::vector<VarId> outputScope_;
  SliceEstimator estimator_;
  double stepsLeft_;
};

} // namespace mpf
