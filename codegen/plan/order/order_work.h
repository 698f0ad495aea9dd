// Counts what a run of an order does, from the buckets of its elimination tree: by it the planner
// predicts how long the run takes (program/run_costs.h).
#pragma once

#include "codegen/plan/order/elimination_tree.h"
#include "codegen/plan/program/run_costs.h"

namespace mpf {

/// The sums of bucket_cost.h. A bucket of a sliced program counts as often as it runs; one that
/// exceeds the bound on memory is dear, so that the search for an order that does not goes on.
/// Takes time in proportion to the number of buckets and tables.
RunWork orderWork(const EliminationTree &tree);

/// Sets what the order of the tree costs: its operations, its work and its predicted run.
void setCosts(const EliminationTree &tree, const RunWork &work, const RunCosts &costs,
              EliminationOrder &order);

} // namespace mpf
