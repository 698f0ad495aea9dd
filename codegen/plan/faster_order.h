// Chooses between the programs of two orders by the predicted time of a run of each.
//
// The search for orders minimises operations, but operations are not all that takes time. One wide
// product of few operands runs faster than narrow ones that move more entries. Sums over buckets
// (order/order_work.h) indicate which of the orders found may be the fastest, but not with
// certainty, since they do not know the kernels. So both orders are planned and both programs
// predicted; the program of fewer operations is kept unless the other is faster. Planning the
// second order costs the passes once more; the rule of program/planning_budget.h decides whether
// that pays.
#pragma once

#include "codegen/plan/order/choose_order.h"
#include "codegen/plan/slicing/plan_trials.h"
#include "dsl/model/model.h"

namespace mpf {

/// Runs the passes on `faster` and returns whether to take its program instead of `known`, which
/// computes every message once and has no slices.
///
/// If true, `trials`, which must be used for `faster` only, has accepted a program. It computes no
/// message again, takes at most kMostMemory times the memory of `known`, and is predicted to run
/// faster (PlanOptions::programUs). Returns false without a trial where nothing can predict, or
/// where the trial may cost more than it can save.
bool isFasterOrder(const Model &model, const PlanOptions &options,
                   const PlanTrials::Accepted &known, const OrderChoice &faster,
                   PlanTrials &trials);

/// The most memory of a faster program, as a multiple of that of the known one. A program stays
/// near the least memory found. If it fits this machine, it also nearly fits a similar one.
inline constexpr double kMostMemory = 4;

} // namespace mpf
