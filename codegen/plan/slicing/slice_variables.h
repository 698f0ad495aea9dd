// Finds a plan within the memory bound by conditioning on variables, also called slicing
// (slice_levels.h defines such a program). The method is greedy, as in slice finders for tensor
// networks (Gray and Kourtis 2021, section 4.3):
//
// 1. Slice one variable after the other. Each is taken out of the largest bucket and brings the
//    buckets closest to the bound for the least additional modelled work (slice_draft.h).
// 2. Do this for several orders (slice_starts.h), on estimates, and go on with those that then take
//    the least work. For the best two of them, also search for a new order of the remaining
//    variables after every variable that is sliced (slice_rest.h).
// 3. Draft for marginals with all messages within the bound, and with room for some of them only
//    (pass_recompute_messages.h). First the loops end last. Then, where those cost work, loops end
//    at once and may need reentered loops (reentered_loops.h).
// 4. Let the passes make the programs of the drafts, slice further where a program needs more
//    memory than estimated (slice_fit.h), and keep the program with the least work.
// 5. Search for a new order of the remaining variables of the best draft, and put variables back
//    that need not be sliced.
// 6. Improve by local search: put some variables back into the order, order the remaining variables
//    anew and slice others instead. This lasts longer when slices are expensive or the run is long.
//
// A plan within the bound ends the search as soon as no better one can pay (SliceFit::isDone). The
// time of the search is counted in steps and tables, never measured.
#pragma once

#include "codegen/plan/program/plan_options.h"
#include "codegen/plan/program/table_program.h"
#include "codegen/plan/slicing/slice_task.h"
#include "dsl/model/model.h"

namespace mpf {

/// Runs the search. Only options.search.deadline and stop make the result depend on time, because
/// the searches for orders are bounded by steps. When the time is up before it begins, few orders
/// are still sliced, in few steps.
SliceSearch searchSlices(const SliceProblem &problem);

} // namespace mpf
