// Decides which passes of the simplifier pay, by the rule of
// codegen/plan/program/planning_budget.h: no pass saves more than the whole run.
#pragma once

#include "codegen/plan/program/run_costs.h"
#include "codegen/simplify/simplify_pipeline.h"

namespace mpf {

/// Returns the predicted microseconds of one run of the query if nothing more is simplified, from
/// the sums over the buckets of one greedy order. Infinite if its messages fit no memory.
double greedyRunUs(const SimplifyState &state, const RunCosts &costs);

/// Returns a SimplifyOptions::pays for all expected runs. It predicts the run at the first question
/// whose price exceeds that of the prediction, and keeps the result. Later passes usually make the
/// run shorter than that. For one query, by one thread.
std::function<bool(const SimplifyState &, double)> simplifyBudget(const RunCosts &costs);

} // namespace mpf
