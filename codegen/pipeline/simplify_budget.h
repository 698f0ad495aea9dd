// Decides which passes of the simplifier pay, by the rule of
// codegen/plan/program/planning_budget.h: no pass saves more than the whole run.
#pragma once

#include "codegen/plan/program/run_costs.h"
#include "codegen/simplify/simplify_pipeline.h"

namespace mpf {

/// Microseconds that one run of the query takes, predicted, if nothing is simplified any more: by
/// the sums over the buckets of one greedy order. Infinite if its messages fit no memory.
double greedyRunUs(const SimplifyState &state, const RunCosts &costs);

/// SimplifyOptions::pays for all expected runs. It predicts the run when it is asked for the first
/// time about more than that takes, and keeps it: what has been simplified since makes the run
/// shorter, as a rule. For one query, by one thread.
std::function<bool(const SimplifyState &, double)> simplifyBudget(const RunCosts &costs);

} // namespace mpf
