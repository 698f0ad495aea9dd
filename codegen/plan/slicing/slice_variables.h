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

#include "codegen/plan/program/plan_options.h"
#include "codegen/plan/program/table_program.h"
#include "codegen/plan/slicing/slice_task.h"
#include "dsl/model/model.h"

namespace mpf {

/// Deterministic, but for options.search.deadline and stop: its searches for orders are bounded by
/// steps, whatever bounded the first one. When the time is up before it begins, the first order is
/// sliced all the same, in few steps.
SliceSearch searchSlices(const Model &model, const TableProgram &initial, const SliceTask &task,
                         const PlanOptions &options, const SliceTrial &trial);

} // namespace mpf
