// Defines the task of a search for variables to slice (slice_variables.h), and its result.
#pragma once

#include "codegen/plan/order/choose_order.h"
#include "codegen/plan/program/table_program.h"
#include "codegen/plan/slicing/plan_trials.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace mpf {

/// Runs the passes for an order (PlanTrials::run), and keeps the program when it is within the
/// bound and takes less work than the one before.
using SliceTrial = std::function<TrialResult(const OrderChoice &order)>;

/// The result of a search.
struct SliceSearch {
  bool fits = false; ///< the plan is the cheapest program within the bound that the trials kept
  double slices = 1;
  std::vector<VarId> sliced; ///< outermost loop first; if nothing fits, those of the last draft
  bool stopped = false;      ///< the time or a signal ended the search
};

struct SliceTask {
  /// Orders of all variables that were tried without slices, the cheapest first; at least one.
  std::vector<OrderChoice> orders;
  double wholeAddresses = 1; ///< addresses of the first order's program, without a bound
  /// Predicted time of a run of that program. Infinite: nothing predicts runs
  /// (PlanOptions::programUs).
  double wholeUs = std::numeric_limits<double>::infinity();
  /// Addresses of the cheapest known plan that fits the bound; infinite: none is known.
  double knownAddresses = std::numeric_limits<double>::infinity();
  double spentUs = 0;        ///< time of earlier searches for slices, by their counts
  double leastAddresses = 0; ///< least addresses that a bucket counts as (PlanTrials::Subject)
  uint64_t inputBytes = 0;   ///< bytes of the inputs, which are stored whole in any case
  bool recomputes = false;   ///< the trial's programs may compute messages again
};

/// The input of one search. All references must outlive it.
struct SliceProblem {
  const Model &model;
  const TableProgram &initial;
  const SliceTask &task;
  const PlanOptions &options; ///< maxMemoryBytes is the bound
  const SliceTrial &trial;    ///< keeps the programs
};

} // namespace mpf
