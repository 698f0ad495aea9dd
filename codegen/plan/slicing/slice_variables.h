// SLICING: the plan of a query that does not fit its memory bound, conditioned on variables until
// it does (slice_levels.h says what such a program is).
//
// Greedy, as slice finders for tensor networks are (Gray and Kourtis 2021, section 4.3), on
// modelled work: one variable after the other, out of the largest bucket, that brings the buckets
// furthest towards the bound for the least additional work, hoisting of what does not depend on it
// included (slice_draft.h). First for the order that is cheapest without slices, so that there soon
// is a plan; then for several orders (slice_starts.h), kept as they are and, the best one, ordered
// anew after every variable (slice_rest.h). Marginals are drafted with all messages within the
// bound, and with room for some of them only (pass_recompute_messages.h); first with loops that end
// last, then, where those cost work, with loops that are entered again on the way down
// (reentered_loops.h). What counts is the work
// of the programs that the passes make. Then the rest of the cheapest is ordered anew, more
// variables follow where more is alive than one bucket (slice_fit.h), and variables that turn out
// not to be needed are taken back. In the end a local search exchanges variables: some are put back
// into the order, the rest is ordered anew, and others are sliced instead, for longer where slices
// are dear or the run is long.
#pragma once

#include "codegen/plan/order/choose_order.h"
#include "codegen/plan/program/plan_options.h"
#include "codegen/plan/program/table_program.h"
#include "codegen/plan/slicing/plan_trials.h"
#include "dsl/model/model.h"

#include <functional>
#include <limits>
#include <vector>

namespace mpf {

/// Runs the passes for an order; keeps the program when it is within the bound and takes less work
/// than the one before.
using SliceTrial = std::function<TrialResult(const OrderChoice &order)>;

struct SliceSearch {
  bool fits = false; ///< the cheapest program within the bound that `trial` saw is the plan
  double slices = 1;
  std::vector<VarId> sliced; ///< outermost loop first; when it does not fit: as far as it went
  bool stopped = false;      ///< a search for orders was ended by the clock or a signal
};

struct SliceTask {
  /// Of all variables, that were tried without slices; the cheapest first, at least one.
  std::vector<OrderChoice> orders;
  double wholeAddresses = 1; ///< of the first one's program, without a bound
  /// Of the plan within the bound that is there without slices; infinite: there is none.
  double knownAddresses = std::numeric_limits<double>::infinity();
  uint64_t inputBytes = 0; ///< what no slicing can save
  bool recomputes = false; ///< the trial's programs may compute messages again
};

/// Deterministic, but for options.search.deadline and stop: its searches for orders are bounded by
/// steps, whatever bounded the first one. When the time is up before it begins, the first order is
/// sliced all the same, in few steps.
SliceSearch searchSlices(const Model &model, const TableProgram &initial, const SliceTask &task,
                         const PlanOptions &options, const SliceTrial &trial);

} // namespace mpf
