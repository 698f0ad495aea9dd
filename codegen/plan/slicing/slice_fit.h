// Turns drafts into plans within the memory bound. Variables are sliced until the estimate is
// within the bound; then the passes make the program. If the program needs more memory than was
// estimated, the bound of the estimate is lowered and more variables are sliced. Keeps the draft
// whose program takes the least work.
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

/// The way in which the rest of a draft is ordered anew each time a variable was sliced
/// (slice_rest.h).
struct Reorderings {
  Reordering mode = Reordering::None;
  uint64_t divisor = 1; ///< each search takes 1 / divisor of options.searchSteps
  uint64_t seed = 0;
  uint64_t stepsLeft = 0; ///< for all searches together; the last one may take more
};

/// Fits the drafts of one search. Not thread-safe.
class SliceFit {
public:
  /// All references must outlive this. `log2WholeWork`: the estimated work of the first order,
  /// without slices.
  SliceFit(const SliceProblem &problem, double log2WholeWork, DraftSlicer &slicer,
           RestOrders &orders);

  /// Slices until the plan is within the bound. Gives up when it would take more work than the best
  /// one, or when the trials or the time are used up. Returns a score, lower is better: log2 of the
  /// work, plus twice log2 of the excess memory; infinite if no program was made.
  double fit(SliceDraft draft, Reorderings &reorderings);
  /// Searches for another order of the variables that are not sliced, and takes it if it promises
  /// less work.
  void reorder(SliceDraft &draft, Reorderings &reorderings);
  /// Tries to stop slicing variables of the best draft, innermost loop first. A variable stays
  /// sliced if this saves no work, or if the plan would no longer fit. There must be a best draft,
  /// else Error(Internal).
  void removeUnneededSlices();
  /// Stops slicing one variable, which must not be an output variable (else Error(Internal)). It
  /// becomes the most significant variable after the output variables, so it is eliminated last.
  void putBack(SliceDraft &draft, VarId id);

  /// The draft of the cheapest program within the bound so far.
  const std::optional<SliceDraft> &best() const { return best_; }
  double bestAddresses() const { return bestAddresses_; }
  const SliceDraft &last() const { return last_; } ///< the draft tried or given up last
  /// Ratio of the work of the best program to that of the program without slices and without a
  /// bound.
  double workFactor() const { return bestAddresses_ / task_.wholeAddresses; }
  size_t trials() const { return trials_; }
  /// Allows `more` trials, or fewer for a large model.
  void allowTrials(size_t more) { mostTrials_ += std::min(more, tableTrials_); }

  /// Time that the search took, by the counts of its steps and programs.
  double spentUs() const;
  /// Whether a plan is known, and going on cannot pay (questionPays): no plan takes less work than
  /// that of the first order without slices.
  bool isDone() const;
  /// Whether going on could not pay either if the program of this draft were made and fitted.
  bool suffices(const SliceDraft &draft) const;
  /// Whether the time is up, or the stop flag is set.
  bool isOver();
  /// True while no plan is known and few trials were made: these are made even when the time is up.
  bool mustGoOn() const;
  /// Whether the time or the stop flag has ended anything.
  bool stopped() const { return stopped_ || orders_.stopped(); }

private:
  bool addVariable(SliceDraft &draft);
  bool cannotPay(double knownAddresses) const;
  TrialResult tryDraft(const SliceDraft &draft);
  bool mayBeBest(const SliceEstimate &estimate) const;
  void giveUp(const SliceDraft &draft);

  const SliceTask &task_;
  const PlanOptions &options_;
  const SliceTrial &trial_;
  const double targetBytes_;
  const double log2PerAddress_; ///< addresses of a program over those of its estimate, as log2
  const SearchStop stop_;
  DraftSlicer &slicer_;
  RestOrders &orders_;
  const size_t tableTrials_; ///< trials that a model of this size allows
  const size_t usualTables_; ///< tables of a program that counts as one trial
  size_t trials_ = 0, mostTrials_;
  double tablesOfTrials_ = 0;
  /// Results by order, number of sliced variables and ends of loops: drafts may agree in these.
  std::map<std::tuple<std::vector<VarId>, size_t, LoopEnds>, TrialResult> tried_;
  std::optional<SliceDraft> best_;
  double bestAddresses_ = std::numeric_limits<double>::infinity();
  SliceDraft last_;
  double log2GivenUp_ = std::numeric_limits<double>::infinity(); ///< least elems of drafts given up
  bool stopped_ = false;
};

/// Returns the bytes that the bound leaves for all tables but the inputs. When the inputs alone
/// exceed the bound, returns a small value (a sixteenth of the inputs, at least 4 KiB), so that the
/// search finds a peak worth reporting.
double sliceTargetBytes(const SliceTask &task, const PlanOptions &options);

} // namespace mpf
