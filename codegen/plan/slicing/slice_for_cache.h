// SLICES FOR SPEED: finds variables to condition on so that the tables of one slice stay in the
// cache of a CPU, though all tables fit the memory bound. Such a run touches few pages for the
// first time, which often costs more than the arithmetic.
//
// The draft is the greedy one of slice_draft.h (Gray and Kourtis 2021, section 4.3), from one order
// and without a search. Networks whose largest buckets have variables in common can be sliced on
// these for no additional work. Where slices cost work, the draft ends as soon as they cannot pay.
#pragma once

#include "codegen/plan/order/choose_order.h"
#include "codegen/plan/program/plan_options.h"
#include "codegen/plan/program/table_program.h"

#include <optional>

namespace mpf {

/// The runs of the program without slices, and the gain that slices must reach.
struct WholeRuns {
  double runUs = 0;      ///< one run
  double enoughUs = 0;   ///< slices must be estimated to shorten the first runs to less than this
  double estimateUs = 0; ///< the most time that estimates may take, counted in steps
};

/// Returns `order` with the sliced variables that are estimated to make the first runs shortest:
/// PlanOptions::runCosts, with its price of memory, over the expected runs. None: they are
/// estimated to take WholeRuns::enoughUs or more. A draft ends when the work that it adds takes as
/// long. Estimates end after about 10 ms when the time for planning is up (PlanOptions::search).
std::optional<OrderChoice> sliceForCache(const TableProgram &initial, const OrderChoice &order,
                                         const PlanOptions &options, const WholeRuns &whole);

} // namespace mpf
