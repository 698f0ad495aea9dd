// From a draft to a plan within the memory bound: variables are added until the estimate is within
// it, then the passes make the program; where more is alive than the estimate knows, its bound is
// lowered and more variables follow. Keeps the draft whose program takes least work.
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

  /// Slices until the plan is within the bound; gives up when it has more work than the best one.
  /// How far it came: binary orders of work, and twice those that are missing in memory.
  double fit(SliceDraft draft, Reorderings &reorderings);
  /// Orders the rest anew, if another order promises less work.
  void reorder(SliceDraft &draft, Reorderings &reorderings);
  /// Puts variables of the best draft back into its order, innermost loop first. Those that save
  /// no work, or without which it no longer fits, stay sliced.
  void removeUnneededSlices();
  /// One variable is no longer sliced: it is eliminated last, beside the other variables that are
  /// most significant.
  void putBack(SliceDraft &draft, VarId id);

  /// Its program is within the bound, and the cheapest so far.
  const std::optional<SliceDraft> &best() const { return best_; }
  double bestAddresses() const { return bestAddresses_; }
  const SliceDraft &last() const { return last_; } ///< that was tried
  /// Work of the best program beside that of the whole without a bound.
  double workFactor() const { return bestAddresses_ / task_.wholeAddresses; }
  size_t trials() const { return trials_; }
  /// Fewer for large models.
  void allowTrials(size_t more) { mostTrials_ += std::min(more, tableTrials_); }

  /// The time is up.
  bool isOver();
  /// One plan is looked for whatever the time.
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

/// Bytes for all tables but the inputs. Below the inputs nothing helps: then as small as is worth
/// reporting.
double sliceTargetBytes(const SliceTask &task, const PlanOptions &options);

} // namespace mpf
