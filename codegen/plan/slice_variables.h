// SLICING: the plan of a query that does not fit its memory bound, conditioned on variables until
// it does (slice_levels.h says what such a program is).
//
// Greedy, as slice finders for tensor networks are (Gray and Kourtis 2021, section 4.3), on
// modelled work: one variable after the other, out of the largest bucket, that brings the buckets
// furthest towards the bound for the least additional work, hoisting of what does not depend on it
// included. This is done for several orders (slice_starts.h), kept as they are and ordered anew
// after every variable (section 4.4 there: conditioning makes other orders good), and the cheapest
// is taken. Then the rest is ordered anew, more variables follow where more is alive than one
// bucket, as long as the budget lasts, and in the end variables that turn out not to be needed are
// taken back.
#pragma once

#include "codegen/plan/choose_order.h"
#include "codegen/plan/plan_options.h"
#include "codegen/plan/slice_estimate.h"
#include "codegen/plan/table_program.h"
#include "dsl/model/model.h"

#include <functional>
#include <vector>

namespace mpf {

/// Runs the passes for an order; gives the peak, and keeps the program when it is within the
/// bound.
using SliceTrial = std::function<uint64_t(const OrderChoice &order)>;

struct SliceSearch {
  bool fits = false; ///< the last order that `trial` saw and accepted is the plan
  double slices = 1;
  double workFactor = 1;     ///< modelled work beside that of the first order without a bound
  std::vector<VarId> sliced; ///< outermost loop first; when it does not fit: as far as it went
  bool stopped = false;      ///< a search for orders was ended by the clock or a signal
};

/// `start`: the orders of all variables that were tried without slices, the cheapest first, at
/// least one. `inputBytes`: what no slicing can save. Deterministic, but for
/// options.search.deadline and stop: its searches for orders are bounded by steps, whatever bounded
/// the first one.
SliceSearch searchSlices(const Model &model, const TableProgram &initial,
                         const std::vector<OrderChoice> &start, const PlanOptions &options,
                         uint64_t inputBytes, const SliceTrial &trial);

} // namespace mpf
