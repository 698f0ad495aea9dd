// From a draft to a plan within the memory bound. Variables are sliced until the estimate is within
// the bound; then the passes make the program. If the program needs more memory than was estimated,
// the bound of the estimate is lowered and more variables are sliced. Keeps the draft whose program
// takes the least work.
#pragma once

#include "codegen/plan/program/plan_options.h"
#include "codegen/plan/slicing/slice_draft.h"
#include "codegen/plan/slicing/slice_rest.h"
#include "codegen/plan/slicing/slice_task.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace mpf {

/// How a draft is ordered anew between two variables.
struct Reorderings {
  Reordering mode = Reordering::None;
  uint64_t share = 1; ///< of options.searchSteps for each of them
  uint64_t seed = 0;
  uint64_t stepsLeft = 0; ///< for all of them together; the last one may take more
};

class SliceFit {
public:
  /// All references must outlive it. `log2WholeWork`: the estimate of the first order, without
  /// slices.
  SliceFit(const TableProgram &initial, const SliceTask &task, const PlanOptions &options,
           const SliceTrial &trial, double log2WholeWork, SliceSteps &slicer, RestOrders &orders);

  /// Slices until the plan is within the bound; gives up when it takes more work than the best one.
  /// Returns a score, lower is better: log2 of the work, plus twice log2 of the excess memory.
  double fit(SliceDraft draft, Reorderings &reorderings);
  /// Orders the rest anew, if another order promises less work.
  void reorder(SliceDraft &draft, Reorderings &reorderings);
  /// Tries to stop slicing variables of the best draft, innermost loop first. A variable stays
  /// sliced if this saves no work, or if the plan would no longer fit.
  void removeUnneededSlices();
  /// One variable is no longer sliced: it is eliminated last, beside the other variables that are
  /// most significant.
  void putBack(SliceDraft &draft, VarId id);

  /// The draft of the cheapest program within the bound so far.
  const std::optional<SliceDraft> &best() const { return best_; }
  double bestAddresses() const { return bestAddresses_; }
  const SliceDraft &last() const { return last_; } ///< the draft tried last
  /// Work of the best program over that of the program without slices and without a bound.
  double workFactor() const { return bestAddresses_ / task_.wholeAddresses; }
  size_t trials() const { return trials_; }
  /// Allows more trials; fewer for large models.
  void allowTrials(size_t more) { mostTrials_ += std::min(more, tableTrials_); }

  /// The time is up.
  bool isOver();
  /// True while no plan is known yet: one is looked for even when the time is up.
  bool mustGoOn() const;
  bool stopped() const { return stopped_ || orders_.stopped(); }

private:
  bool addVariable(SliceDraft &draft);
  TrialResult tryDraft(const SliceDraft &draft);
  bool mayBeBest(const SliceEstimate &estimate) const;
  void giveUp(const SliceDraft &draft);

  const SliceTask &task_;
  const PlanOptions &options_;
  const SliceTrial &trial_;
  const double targetBytes_;
  const double log2PerAddress_; ///< addresses of the whole program beside the estimate
  const SearchStop stop_;
  SliceSteps &slicer_;
  RestOrders &orders_;
  const size_t tableTrials_; ///< that a model of this size allows
  const size_t usualTables_; ///< of a program that counts as one trial
  size_t trials_ = 0, mostTrials_;
  /// By order, how many of it are sliced, and where their loops end: shapes of drafts may agree.
  std::map<std::tuple<std::vector<VarId>, size_t, LoopEnds>, TrialResult> tried_;
  std::optional<SliceDraft> best_;
  double bestAddresses_ = std::numeric_limits<double>::infinity();
  SliceDraft last_;
  double log2GivenUp_ = std::numeric_limits<double>::infinity(); ///< least of drafts given up
  bool stopped_ = false;
};

/// Bytes that the bound leaves for all tables but the inputs. When the inputs alone exceed the
/// bound, the smallest value that is worth reporting.
double sliceTargetBytes(const SliceTask &task, const PlanOptions &options);

} // namespace mpf
